import { type Failure, retryAdvice } from "@/lib/client/api";
import { areDraftsStored } from "@/lib/client/browser-storage";
import { type AnswerName, namesOf, type SavedAnswer } from "@/lib/domain/application";
import { type AnswerStep, isAnswerStep, reviewStep, type StepNumber } from "@/lib/domain/journey";
import type { Messages } from "@/lib/schemas/check";

/** What is wrong with one answer, for the summary above the form. */
interface Problem {
  id: AnswerName;
  message: string;
}

/** A failure that is not about a single answer, for the banner (specification, section 8). */
interface SubmitError {
  message: string;
  /** What the applicant can do now. */
  advice?: string;
  requestId?: string;
  /** The step that has to be completed before the submission. */
  incompleteStep?: AnswerStep;
  /** The answers of the save that failed. */
  sent: StepValues;
  /** The save found no network. It is repeated once the device is online. */
  isUnreached?: boolean;
  isAlreadySubmitted?: boolean;
  /** The application has changed in the meantime. The banner informs instead of alerting, because nothing has failed. */
  isInformational?: boolean;
}

export type StepValues = Partial<Record<SavedAnswer, string>>;

/** What the form is doing. Problems and errors stay until the next attempt. */
export interface FormState {
  /** A check or a call is in progress; `slow` once the call takes long or is retried. */
  activity: "none" | "busy" | "slow";
  /** The step that activity, problems and error belong to. */
  step: StepNumber;
  /** In the order of the fields on the screen. */
  problems: readonly Problem[];
  submitError: SubmitError | null;
}

export type FormEvent =
  | { type: "start"; step: StepNumber }
  | { type: "slow" | "done" | "dismiss" }
  | { type: "invalid"; messages: Messages }
  | { type: "failed"; failure: Failure; sent: StepValues };

const noProblems: readonly Problem[] = [];

export function editing(step: StepNumber): FormState {
  return { activity: "none", step, problems: noProblems, submitError: null };
}

/** Whether a check or a call is in progress. A second tap must then change nothing. */
export function isBusy({ activity }: FormState): boolean {
  return activity !== "none";
}

export function nextState(state: FormState, event: FormEvent): FormState {
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
      const submitError = submitErrorOf(event.failure, step, event.sent);
      const problems = inOrder(submitError.incompleteStep ?? step, event.failure.errors ?? {});
      return { ...editing(step), problems, submitError };
    }
    case "dismiss":
      return { ...state, submitError: null };
  }
}

/** What to show on this step. A call may fail after the applicant has gone to another step. */
export function noticesForStep({ step, problems, submitError }: FormState, onScreen: StepNumber) {
  const isOnScreen = step === onScreen || submitError?.incompleteStep === onScreen;
  return isOnScreen ? { problems, submitError } : { problems: noProblems, submitError: null };
}

function inOrder(step: StepNumber, messages: Messages): Problem[] {
  const names: AnswerName[] = namesOf(step);
  return names.flatMap((id) => (messages[id] ? [{ id, message: messages[id] }] : []));
}

/** A review cannot be submitted while anything is unsaved, so a failed submission loses nothing. */
function keptAdvice(step: StepNumber): string {
  if (step === reviewStep) return "Your answers are saved.";
  return areDraftsStored()
    ? "We've kept what you typed on this device."
    : "Keep this page open, or you'll lose what you typed.";
}

function submitErrorOf(failure: Failure, step: StepNumber, sent: StepValues): SubmitError {
  const { status, unanswered, requestId, incompleteStep, outdated } = failure;
  return {
    message: step === reviewStep ? finalMessage(failure) : stepMessage(failure, step),
    advice: adviceFor(failure, step),
    requestId,
    incompleteStep: isAnswerStep(incompleteStep) ? incompleteStep : undefined,
    sent,
    isUnreached: unanswered === "no-network",
    isAlreadySubmitted: status === 409 && !outdated,
    isInformational: status === 409,
  };
}

function stepMessage({ unanswered, message }: Failure, step: StepNumber): string {
  if (unanswered === "no-network" || unanswered === "timeout") return `Failed to submit step ${step}`;
  return message || "Submission failed";
}

function finalMessage({ unanswered, message, status }: Failure): string {
  if (unanswered === "no-network") return "Submission failed: no connection";
  if (unanswered === "timeout") return "Submission failed: the server took too long to respond";
  if (!message) return "Submission failed";
  return status === 409 ? message : `Submission failed: ${message}`;
}

function adviceFor(failure: Failure, step: StepNumber): string | undefined {
  const { unanswered, retryAfterSeconds, status, outdated } = failure;
  if (outdated) return "We haven't submitted anything. Check the changes marked below, then submit again.";
  if (unanswered === "no-token") return "Open the link in our message again.";
  // A maintenance page or a firewall may answer instead of the server, which itself never answers 403 or 404 here.
  const canRetry = retryAfterSeconds || status === null || status >= 500 || status === 403 || status === 404;
  return canRetry ? `${keptAdvice(step)} ${retryAdvice(failure)}` : undefined;
}
