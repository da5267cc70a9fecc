import { type AnswerStep, reviewStep, type StepNumber } from "@/lib/domain/journey";

/**
 * The current step is in the URL, so the browser's Back goes a step back inside the form. A URL without a step stands
 * for the step at which the applicant entered.
 */

/** pushState fires no event, so the form's own moves dispatch this one. */
const moved = "rent-advance:moved";

export function onMove(listener: () => void): () => void {
  window.addEventListener("popstate", listener);
  window.addEventListener(moved, listener);
  return () => {
    window.removeEventListener("popstate", listener);
    window.removeEventListener(moved, listener);
  };
}

export function stepAsked(search: string): number | null {
  return Number(new URLSearchParams(search).get("step")) || null;
}

/** Where Next leads to instead of the next step: to the review that has opened the step. */
export type Then = "review" | "review-page";

const then = () => new URLSearchParams(window.location.search).get("then");

/** The address of a step that a review opens. */
export function changePath(step: AnswerStep, returnsTo: Then): string {
  return `/home?step=${step}&then=${returnsTo}`;
}

const reviewPage = "/review&submit";

/** The entry before this one in the history, if it is ours; undefined as well where the browser does not say. */
export function entryBefore(): NavigationHistoryEntry | undefined {
  const { navigation } = window as { navigation?: Navigation };
  return navigation?.entries()[(navigation.currentEntry?.index ?? 0) - 1];
}

/** Without an address where another document has shown it: our pages have no referrer. */
function isReviewPage({ url }: NavigationHistoryEntry): boolean {
  return url !== null && new URL(url).pathname === reviewPage;
}

/** The step from which this entry of the history was reached. */
function reachedFrom(): StepNumber | undefined {
  return window.history.state?.from;
}

function move(kind: "pushState" | "replaceState", path: string, from?: StepNumber): void {
  window.history[kind]({ from }, "", path);
  window.dispatchEvent(new Event(moved));
}

/**
 * Adds an entry. The one that is left names its step before: without, it would stand for another step after a reload,
 * because by then there is more that is saved.
 */
function add(path: string, from: StepNumber): void {
  if (stepAsked(window.location.search) === null) move("replaceState", `?step=${from}`);
  move("pushState", path, from);
}

/** Goes to a step. If the current one was reached from there, goes back in the history instead of adding an entry. */
function goTo(target: StepNumber, from: StepNumber): void {
  if (reachedFrom() === target) window.history.back();
  else add(`?step=${target}`, from);
}

/** After a save: on to the next step, or back to the review that has opened this one. */
export function goOn(from: AnswerStep): void {
  const before = entryBefore();
  if (then() !== "review-page") goTo(then() === "review" ? reviewStep : ((from + 1) as StepNumber), from);
  else if (before && isReviewPage(before)) window.history.back();
  else window.location.assign(reviewPage);
}

/** The form's own Back adds no entry to the history. */
export function goBack(from: StepNumber): void {
  const previous = Math.max(1, from - 1) as StepNumber;
  if (reachedFrom() === previous) window.history.back();
  else move("replaceState", `?step=${previous}`);
}

/** The review's 'Change' links: Next then returns to the review. */
export function goChange(target: AnswerStep, from: StepNumber): void {
  add(changePath(target, "review"), from);
}
