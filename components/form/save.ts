import { type Answer, submitFinal, submitStep } from "@/lib/client/api";
import type { ConsentAnswers, StepAnswers } from "@/lib/domain/application";
import type { AnswerStep } from "@/lib/domain/journey";
import type { Reviewed } from "@/lib/domain/reviewed";

/** Few and short, since a person is waiting. */
const pauses = [1000, 2500];
/** From then on a wait is told, also while the first answer is still on its way. */
const longWait = 10_000;
/** With a longer Retry-After the person is told instead. */
const longestPause = 5000;

export function saveStep<S extends AnswerStep>(step: S, answers: StepAnswers[S], onWait: () => void) {
  return patiently(() => submitStep(step, answers), onWait);
}

export function submitApplication(consent: ConsentAnswers, reviewed: Reviewed, onWait: () => void) {
  return patiently(() => submitFinal({ ...consent, reviewed }), onWait);
}

/**
 * Repeats a call that got no answer or a 503, a bounded number of times. Saves and the submission are idempotent, so
 * repeating one whose answer was lost is safe.
 */
async function patiently<T>(call: () => Promise<Answer<T>>, onWait: () => void): Promise<Answer<T>> {
  const late = setTimeout(onWait, longWait);
  return repeatedly(call, onWait).finally(() => clearTimeout(late));
}

async function repeatedly<T>(call: () => Promise<Answer<T>>, onWait: () => void): Promise<Answer<T>> {
  for (const pause of pauses) {
    const answer = await call();
    const asked = answer.success ? null : pauseAskedFor(answer);
    if (asked === null || asked > longestPause) return answer;
    onWait();
    await waitForConnection(Math.max(pause, asked));
  }
  return call();
}

/** Milliseconds until the next try; null where a retry would not help. */
function pauseAskedFor({ status, unanswered, retryAfterSeconds = 0 }: Answer<unknown> & { success: false }) {
  return unanswered === "no-network" || status === 503 ? retryAfterSeconds * 1000 : null;
}

/** Ends early when the device is online again. */
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
