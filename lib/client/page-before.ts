import { attempt } from "./browser-storage";

/**
 * Where a person came from to /review&submit, which opens as a new document: browsers without the Navigation API (Safari
 * before 26.2, Firefox before 147) do not say. Kept for this tab alone.
 */
const key = "page_before";

/** The review itself, and the steps that it opened, are not where the person came from. */
function isOfReview({ pathname, search }: Location): boolean {
  return pathname === "/review&submit" || search.includes("then=review-page");
}

export function rememberPage(): void {
  const { pathname, search } = window.location;
  if (!isOfReview(window.location)) attempt(() => sessionStorage.setItem(key, pathname + search));
}

export function pageBefore(): string | null {
  return attempt(() => sessionStorage.getItem(key), null);
}
