import type { Failure } from "@/lib/client/api";
import { type AnswerName, namesOf, type SavedAnswer } from "@/lib/domain/application";
import { reviewStep, type StepNumber } from "@/lib/domain/journey";
import type { Messages } from "@/lib/schemas/check";

/** What is wrong with one answer, for the summary above the form. */
interface Problem {
  id: AnswerName;
  message: string;
}

export type StepValues = Partial<Record<SavedAnswer, string>>;

/** What the form is doing. Problems and errors stay until the next attempt. */
export interface FormState {
  /** A check or a call is in progress; `slow` once the call takes long or is retried. */
  activity: "none" | "busy" | "slow";
  /** The step that activity, problems and error belong to. */
  step: StepNumber;
  problems: readonly Problem[];
  /** The last call, if it has failed, and the answers that it sent. */
  failed: { failure: Failure; sent: StepValues } | null;
}

export type FormStateEvent =
  | { type: "start"; step: StepNumber }
  | { type: "slow" | "done" | "dismiss" }
  | { type: "invalid"; messages: Messages }
  | { type: "failed"; failure: Failure; sent: StepValues };

const noProblems: readonly Problem[] = [];

export function editing(step: StepNumber): FormState {
  return { activity: "none", step, problems: noProblems, failed: null };
}

/** Whether a check or a call is in progress. A second tap must then change nothing. */
export function isBusy({ activity }: FormState): boolean {
  return activity !== "none";
}

/** A successful submission discards anything typed meanwhile, so typing is disabled until the response arrives. */
export function isSubmitting(state: FormState): boolean {
  return isBusy(state) && state.step === reviewStep;
}

export function nextState(state: FormState, event: FormStateEvent): FormState {
  const { step } = state;
  switch (event.type) {
    case "start":
      return isBusy(state) ? state : { ...editing(event.step), activity: "busy" };
    case "slow":
      return isBusy(state) ? { ...state, activity: "slow" } : state;
    case "done":
      return editing(step);
    case "invalid":
      return { ...editing(step), problems: inOrder(step, event.messages) };
    case "failed": {
      const { failure, sent } = event;
      const problems = inOrder(failure.incompleteStep ?? step, failure.errors ?? {});
      return { ...editing(step), problems, failed: { failure, sent } };
    }
    case "dismiss":
      return { ...state, failed: null };
  }
}

/**
 * What to show on this step. A call may fail after the applicant has gone to another step. A failed save shows only on its own
 * step, a failed submission on every step.
 */
export function noticesForStep({ step, problems, failed }: FormState, onScreen: StepNumber) {
  const hasProblems = onScreen === (failed?.failure.incompleteStep ?? step);
  const hasFailed = onScreen === step || step === reviewStep;
  return { problems: hasProblems ? problems : noProblems, failed: hasFailed ? failed : null };
}

function inOrder(step: StepNumber, messages: Messages): Problem[] {
  return namesOf(step).flatMap((id) => (messages[id] ? [{ id, message: messages[id] }] : []));
}
