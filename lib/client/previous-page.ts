import { isReviewPath } from "@/lib/domain/journey";
import { attempt, pageToken } from "./browser-storage";

/** The page from which the applicant came to /review&submit, which opens as a new document. Stored for this tab only. */
const key = "page_before";

export function rememberPreviousPage(): void {
  const { pathname, search } = window.location;
  // The applicant did not come from the review itself, nor from a step that it opened.
  if (isReviewPath(pathname) || search.includes("then=review-page")) return;
  // Once the device has been forgotten, nothing more may be stored on it.
  if (pageToken()) attempt(() => sessionStorage.setItem(key, pathname + search));
}

export function previousPage(): string | null {
  return attempt(() => sessionStorage.getItem(key)) ?? null;
}
