import { inWords } from "@/components/ui/in-words";
import type { Failure } from "@/lib/client/api";
import { isKept } from "@/lib/client/browser-storage";
import { type AnswerStep, isAnswerStep, reviewStep, type StepNumber } from "@/lib/domain/journey";

/** What went wrong, as the banner tells it (specification, section 8). */
export interface Trouble {
  message: string;
  /** What to do now. */
  advice?: string;
  requestId?: string;
  /** The step that has to be completed before the submission. */
  incompleteStep?: AnswerStep;
  /** No network: the same call is repeated when the device is online. */
  isUnreached?: boolean;
  isAlreadySubmitted?: boolean;
}

const kept = () =>
  isKept() ? "What you typed is kept on this device." : "Keep this page open: what you typed is nowhere else.";

export function troubleOf(failure: Failure, step: StepNumber): Trouble {
  const { status, unanswered, requestId, incompleteStep, outdated } = failure;
  return {
    message: step === reviewStep ? finalMessage(failure) : stepMessage(failure, step),
    advice: adviceFor(failure),
    requestId,
    incompleteStep: isAnswerStep(incompleteStep) ? incompleteStep : undefined,
    isUnreached: unanswered === "no-network",
    isAlreadySubmitted: status === 409 && !outdated,
  };
}

function stepMessage({ unanswered, message }: Failure, step: StepNumber): string {
  if (unanswered === "no-network" || unanswered === "timeout") return `Failed to submit step ${step}`;
  return message || "Submission failed";
}

function finalMessage({ unanswered, message }: Failure): string {
  if (unanswered === "no-network") return "Submission failed: no connection";
  if (unanswered === "timeout") return "Submission failed: no answer in time";
  return message ? `Submission failed: ${message}` : "Submission failed";
}

function adviceFor({ unanswered, retryAfterSeconds, status, outdated }: Failure): string | undefined {
  if (outdated) return "Nothing was submitted. Read what is marked below, then submit again.";
  if (unanswered === "no-token") return "Open the link in your message again. It is valid until it expires.";
  if (unanswered) return `${kept()} Check your connection and try again.`;
  if (retryAfterSeconds) return `${kept()} Try again in ${inWords(retryAfterSeconds)}.`;
  if (status !== null && status >= 500) return `${kept()} Try again in a moment.`;
  return undefined;
}
