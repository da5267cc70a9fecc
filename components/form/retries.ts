import type { Answer } from "@/lib/client/api";

/** Milliseconds before each retry. They are few and short, because the applicant is waiting. */
const pauses = [1000, 2500];
/** After this many milliseconds the form says that the call is slow, even if the first answer is still pending. */
const longWait = 10_000;
/** If Retry-After is longer than this, the form does not retry but says how long to wait. */
const maxPause = 5000;

/**
 * Retries a call that found no network or got a 503, a bounded number of times. Saves and the submission are idempotent, so
 * repeating one whose answer was lost is safe.
 */
export async function withRetries<T>(call: () => Promise<Answer<T>>, onWait: () => void): Promise<Answer<T>> {
  const slowTimer = setTimeout(onWait, longWait);
  try {
    for (const pause of pauses) {
      const answer = await call();
      const minimumPause = answer.success ? null : requestedPause(answer);
      if (minimumPause === null || minimumPause > maxPause) return answer;
      onWait();
      await waitForConnection(Math.max(pause, minimumPause));
    }
    return await call();
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
