import { openPage } from "@/lib/client/open-page";
import { onWindow } from "@/lib/client/window-events";
import { type AnswerStep, reviewPath, reviewStep, type StepNumber } from "@/lib/domain/journey";

/**
 * The current step is in the URL, so the browser's Back goes a step back inside the form. A URL without a step stands
 * for the step at which the applicant entered.
 */

/**
 * pushState fires no event, so the form dispatches this one whenever it changes the step. Next's useSearchParams follows
 * pushState as well, but in a transition. Until that ends, the step that was just saved would be on the screen with its button
 * enabled, and a second tap would save it again.
 */
const moveEvent = "rent-advance:moved";

export const onMove = (listener: () => void) => onWindow(["popstate", moveEvent], listener);

export function requestedStep(search: string): number | null {
  return Number(new URLSearchParams(search).get("step")) || null;
}

/** The review that has opened a step. The Next button returns to it instead of going on to the next step. */
export type ReturnTarget = "review" | "review-page";

const returnTo = () => new URLSearchParams(window.location.search).get("then");

/** The address of a step that a review opens, at a field. */
export function changePath(step: AnswerStep, returnsTo: ReturnTarget, field?: string): string {
  return `/home?step=${step}&then=${returnsTo}${field ? `#${field}` : ""}`;
}

function reachedFrom(): StepNumber | undefined {
  return window.history.state?.from;
}

function move(method: "pushState" | "replaceState", path: string, from?: StepNumber): void {
  window.history[method]({ from }, "", path);
  window.dispatchEvent(new Event(moveEvent));
}

/**
 * Adds a history entry and first names the step in the URL of the current one. A URL without a step would stand for a later
 * step after a reload, because more steps are saved by then.
 */
function add(path: string, from: StepNumber): void {
  if (requestedStep(window.location.search) === null) move("replaceState", `?step=${from}`);
  move("pushState", path, from);
}

function replaceStep(step: StepNumber): void {
  const search = new URLSearchParams(window.location.search);
  search.set("step", String(step));
  move("replaceState", `?${search}`);
}

/**
 * The URL may name a step that cannot be shown yet. The next save would then show a later step without adding an entry to the
 * history, and Back would leave the form. So this names the shown step.
 */
export function nameShownStep(shown: StepNumber): void {
  const requested = requestedStep(window.location.search);
  if (requested !== null && requested !== shown) replaceStep(shown);
}

/** Whether the browser is still going back. A second tap must not go back further, or even leave the form. */
let isGoingBack = false;

/** Goes back in the history to a step. The form's Back may have put another step into that entry meanwhile. */
function backTo(target: StepNumber): void {
  if (isGoingBack) return;
  isGoingBack = true;
  const arrive = () => {
    isGoingBack = false;
    if (requestedStep(window.location.search) !== target) replaceStep(target);
  };
  window.addEventListener("popstate", arrive, { once: true });
  window.history.back();
}

/** After a save, goes on to the next step, or back to the review that has opened this one. */
export function goToNextStep(from: AnswerStep): void {
  const target = returnTo() === "review" ? reviewStep : ((from + 1) as StepNumber);
  if (returnTo() === "review-page") openPage(reviewPath);
  else if (reachedFrom() === target) backTo(target);
  else add(`?step=${target}`, from);
}

/** Goes a step back. The form's Back button adds no entry to the history, and the Next button still returns to the review. */
export function goBack(from: StepNumber): void {
  const previous = Math.max(1, from - 1) as StepNumber;
  if (reachedFrom() === previous) backTo(previous);
  else replaceStep(previous);
}

export function openStepFromReview(target: AnswerStep, from: StepNumber, field?: string): void {
  add(changePath(target, "review", field), from);
}
