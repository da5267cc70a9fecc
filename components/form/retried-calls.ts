import { type Answer, submitFinal, submitStep } from "@/lib/client/api";
import { pageToken } from "@/lib/client/browser-storage";
import type { ConsentAnswers, StepAnswers } from "@/lib/domain/application";
import type { AnswerStep } from "@/lib/domain/journey";
import type { Reviewed } from "@/lib/domain/reviewed";
import type { FormEvent } from "./form-machine";

/** The form that waits for an answer. */
interface WaitingForm {
  send(event: FormEvent): void;
  isMounted(): boolean;
}

/** Milliseconds before each retry. They are few and short, because the applicant is waiting. */
const pauses = [1000, 2500];
/** After this many milliseconds the form says that the call is slow, even if the first answer is still pending. */
const longWait = 10_000;
/** If Retry-After is longer than this, the form does not retry but says how long to wait. */
const maxPause = 5000;

export function saveStep<S extends AnswerStep>(step: S, answers: StepAnswers[S], form: WaitingForm) {
  return withRetries((token) => submitStep(step, answers, token), form);
}

export function submitApplication(consent: ConsentAnswers, reviewed: Reviewed, form: WaitingForm) {
  return withRetries((token) => submitFinal({ ...consent, reviewed }, token), form);
}

/**
 * Retries a call that found no network or got a 503, a bounded number of times. Saves and the submission are idempotent, so
 * repeating one whose answer was lost is safe. It would not be safe once the form has unmounted, because the applicant may
 * save something else then. Each try has the same token, because the page may open another application in between.
 */
async function withRetries<T>(
  call: (token: string | null) => Promise<Answer<T>>,
  form: WaitingForm,
): Promise<Answer<T>> {
  const token = pageToken();
  const onWait = () => form.send({ type: "slow" });
  const slowTimer = setTimeout(onWait, longWait);
  try {
    for (const pause of pauses) {
      const answer = await call(token);
      const minimumPause = answer.success ? null : requestedPause(answer);
      if (minimumPause === null || minimumPause > maxPause) return answer;
      onWait();
      await waitForConnection(Math.max(pause, minimumPause));
      if (!form.isMounted()) return answer;
    }
    return await call(token);
  } finally {
    clearTimeout(slowTimer);
  }
}

/** The pause that the server asks for, in milliseconds, or null if a retry would not help. */
function requestedPause({ status, unanswered, retryAfterSeconds = 0 }: Answer<unknown> & { success: false }) {
  return unanswered === "no-network" || status === 503 ? retryAfterSeconds * 1000 : null;
}

/** Resolves early if the device comes back online. */
function waitForConnection(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener("online", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    window.addEventListener("online", done);
  });
}
