import { isReviewPath } from "@/lib/domain/journey";
import { attempt } from "./browser-storage";

/** The page from which the applicant came to /review&submit, which opens as a new document. Stored for this tab only. */
const key = "page_before";

/** True for the review itself and the steps that it opened. The applicant did not come from any of these. */
function isOfReview({ pathname, search }: Location): boolean {
  return isReviewPath(pathname) || search.includes("then=review-page");
}

export function rememberPreviousPage(): void {
  const { pathname, search } = window.location;
  if (!isOfReview(window.location)) attempt(() => sessionStorage.setItem(key, pathname + search));
}

export function previousPage(): string | null {
  return attempt(() => sessionStorage.getItem(key)) ?? null;
}
