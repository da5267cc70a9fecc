import { useCallback, useState, useSyncExternalStore } from "react";
import type { ApplicationView } from "@/lib/domain/application";
import { type AnswerStep, type StepNumber, visitableStep } from "@/lib/domain/journey";

/** pushState tells nobody: the hook's own moves do. */
const moved = "rent-advance:moved";

function subscribe(listener: () => void): () => void {
  window.addEventListener("popstate", listener);
  window.addEventListener(moved, listener);
  return () => {
    window.removeEventListener("popstate", listener);
    window.removeEventListener(moved, listener);
  };
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
 * The current step is in the history: Back in the browser goes a step back inside the form. An address without a step
 * stands for the one where the applicant came in.
 */
export function useStep(application: Pick<ApplicationView, "savedSteps">) {
  const search = useSyncExternalStore(subscribe, () => window.location.search);
  const [entryStep] = useState(() => visitableStep(application, null));
  const asked = new URLSearchParams(search);
  const step = visitableStep(application, Number(asked.get("step")) || entryStep);

  /** Goes to a step; where that is the one this was reached from, by going back in the history. */
  const go = useCallback(
    (target: StepNumber) => {
      if (reachedFrom() === target) window.history.back();
      else move("pushState", `?step=${target}`, step);
    },
    [step],
  );

  /** The form's own Back adds nothing to the history. */
  const back = useCallback(() => {
    const previous = Math.max(1, step - 1) as StepNumber;
    if (reachedFrom() === previous) window.history.back();
    else move("replaceState", `?step=${previous}`);
  }, [step]);

  /** Where a 'Change' of the review leads; Next goes back to the review from there. */
  const change = useCallback((target: AnswerStep) => move("pushState", `?step=${target}&then=review`, step), [step]);

  return { step, returnsToReview: asked.get("then") === "review", go, back, change };
}
