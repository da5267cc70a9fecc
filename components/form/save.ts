import { type Answer, type Receipt, submitFinal, submitStep } from "@/lib/client/api";
import type { ConsentAnswers, StepAnswers } from "@/lib/domain/application";
import type { AnswerStep } from "@/lib/domain/journey";

/** Few and short: a person waits for them. */
const pauses = [1000, 2500];
/** A server that asks for more patience than this is told to the person instead. */
const longestPause = 5000;

export function saveStep<S extends AnswerStep>(step: S, answers: StepAnswers[S], onWait: () => void) {
  return patiently<undefined>(() => submitStep(step, answers), onWait);
}

export function submitApplication(consent: ConsentAnswers, onWait: () => void) {
  return patiently<Receipt>(() => submitFinal(consent), onWait);
}

/**
 * Repeats a call that found no network, or a server that was away, a bounded number of times. Every save and the
 * submission are idempotent, so that repeating one whose answer was lost does no harm.
 */
async function patiently<T>(call: () => Promise<Answer<T>>, onWait: () => void): Promise<Answer<T>> {
  for (const pause of pauses) {
    const answer = await call();
    const asked = answer.success ? null : pauseAskedFor(answer);
    if (asked === null || asked > longestPause) return answer;
    onWait();
    await waitForConnection(Math.max(pause, asked));
  }
  return call();
}

/** Null where another try would change nothing. */
function pauseAskedFor({ status, unanswered, retryAfterSeconds = 0 }: Answer<unknown> & { success: false }) {
  return unanswered === "no-network" || status === 503 ? retryAfterSeconds * 1000 : null;
}

/** A connection that comes back ends the wait. */
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
