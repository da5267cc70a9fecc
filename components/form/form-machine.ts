import { type Failure, inWords } from "@/lib/client/api";
import { isKept } from "@/lib/client/browser-storage";
import { type AnswerName, type ApplicationAnswers, namesOf } from "@/lib/domain/application";
import { type AnswerStep, isAnswerStep, reviewStep, type StepNumber } from "@/lib/domain/journey";
import type { Messages } from "@/lib/schemas/check";

/** What is wrong with one answer, for the summary above the form. */
export interface Problem {
  id: AnswerName;
  message: string;
}

/** A failure that is not about a single answer, for the banner (specification, section 8). */
export interface SubmitError {
  message: string;
  /** What to do now. */
  advice?: string;
  requestId?: string;
  /** The step that has to be completed before the submission. */
  incompleteStep?: AnswerStep;
  /** No network: the same call is repeated when the device is online. */
  isUnreached?: boolean;
  isAlreadySubmitted?: boolean;
  /** Something has changed meanwhile: nothing has failed. */
  isNews?: boolean;
}

/**
 * What the form is doing:
 * editing → checking → saving → editing (at the next step), or checking again if something was typed meanwhile;
 * editing → submitting → editing; saving and submitting → waiting, once a call is slow or repeated;
 * and from each of these to stopped, where problems or an error are shown until the next try.
 */
export type Phase = "editing" | "checking" | "saving" | "waiting" | "submitting" | "stopped";

export interface FormState {
  phase: Phase;
  /** The step that phase, problems and error belong to. */
  step: StepNumber;
  /** In the order of the screen. */
  problems: readonly Problem[];
  submitError: SubmitError | null;
  /** What the server refused, with the value that it refused. */
  refused: Partial<Record<AnswerName, { value: unknown; message: string }>>;
}

export type FormEvent =
  | { type: "next" | "submit"; step: StepNumber }
  | { type: "valid" | "slow" | "done" | "dismiss" }
  | { type: "invalid"; messages: Messages }
  | { type: "failed"; failure: Failure; values: ApplicationAnswers };

const none: readonly Problem[] = [];

export function editing(step: StepNumber): FormState {
  return { phase: "editing", step, problems: none, submitError: null, refused: {} };
}

/** Whether a check or a call is under way, so that a second tap must change nothing. */
export function isBusy({ phase }: FormState): boolean {
  return phase !== "editing" && phase !== "stopped";
}

export function nextState(state: FormState, event: FormEvent): FormState {
  const { step } = state;
  switch (event.type) {
    case "next":
      return isBusy(state) ? state : { ...editing(event.step), phase: "checking" };
    case "submit":
      return isBusy(state) ? state : { ...editing(event.step), phase: "submitting" };
    case "valid":
      return state.phase === "checking" ? { ...state, phase: "saving" } : state;
    case "slow":
      return state.phase === "saving" || state.phase === "submitting" ? { ...state, phase: "waiting" } : state;
    case "done":
      return editing(step);
    case "invalid":
      return { ...editing(step), phase: "stopped", problems: inOrder(step, event.messages) };
    case "failed":
      return stoppedBy(event.failure, step, event.values);
    case "dismiss":
      return { ...state, submitError: null };
  }
}

/** What to show on this step. A call may fail after the person has gone to another step. */
export function shownAt({ step, problems, submitError }: FormState, onScreen: StepNumber) {
  const isHere = step === onScreen;
  return {
    problems: isHere ? problems : none,
    submitError: isHere || submitError?.incompleteStep === onScreen ? submitError : null,
  };
}

function inOrder(step: StepNumber, messages: Messages): Problem[] {
  const names: AnswerName[] = namesOf(step);
  return names.flatMap((id) => (messages[id] ? [{ id, message: messages[id] }] : []));
}

function stoppedBy(failure: Failure, step: StepNumber, values: ApplicationAnswers): FormState {
  const messages = failure.errors ?? {};
  const refused = Object.entries(messages)
    .filter(([name]) => name in values)
    .map(([name, message]) => [name, { value: values[name as AnswerName], message }]);
  return {
    phase: "stopped",
    step,
    problems: inOrder(step, messages),
    submitError: submitErrorOf(failure, step),
    refused: Object.fromEntries(refused),
  };
}

const kept = () =>
  isKept() ? "We've kept what you typed on this device." : "Keep this page open, or you'll lose what you typed.";

function submitErrorOf(failure: Failure, step: StepNumber): SubmitError {
  const { status, unanswered, requestId, incompleteStep, outdated } = failure;
  return {
    message: step === reviewStep ? finalMessage(failure) : stepMessage(failure, step),
    advice: adviceFor(failure),
    requestId,
    incompleteStep: isAnswerStep(incompleteStep) ? incompleteStep : undefined,
    isUnreached: unanswered === "no-network",
    isAlreadySubmitted: status === 409 && !outdated,
    isNews: status === 409,
  };
}

function stepMessage({ unanswered, message }: Failure, step: StepNumber): string {
  if (unanswered === "no-network" || unanswered === "timeout") return `Failed to submit step ${step}`;
  return message || "Submission failed";
}

function finalMessage({ unanswered, message, status }: Failure): string {
  if (unanswered === "no-network") return "Submission failed: no connection";
  if (unanswered === "timeout") return "Submission failed: no answer in time";
  if (!message) return "Submission failed";
  return status === 409 ? message : `Submission failed: ${message}`;
}

function adviceFor({ unanswered, retryAfterSeconds, status, outdated }: Failure): string | undefined {
  if (outdated) return "We haven't submitted anything. Check what's marked below, then submit again.";
  if (unanswered === "no-token") return "Open the link in our message again.";
  if (unanswered) return `${kept()} Check your connection and try again.`;
  if (retryAfterSeconds) return `${kept()} Try again in ${inWords(retryAfterSeconds)}.`;
  if (status !== null && status >= 500) return `${kept()} Try again in a moment.`;
  return undefined;
}
