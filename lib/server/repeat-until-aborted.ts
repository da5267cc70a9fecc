import { setTimeout as sleep } from "node:timers/promises";

/** The pause after a failure, which is most often one of the database. */
export const failureMs = 5000;

/**
 * Repeats the work until `signal` is aborted, after the pause that it returns or else `pauseMs`. A failure is reported, and the
 * pause after it is not shorter than `failureMs`.
 */
export async function repeatUntilAborted(
  pauseMs: number,
  signal: AbortSignal,
  report: (error: unknown) => void,
  work: () => Promise<unknown>,
): Promise<void> {
  while (!signal.aborted) {
    const wait = await work().catch((error) => {
      report(error);
      return Math.max(pauseMs, failureMs);
    });
    await sleep(typeof wait === "number" ? wait : pauseMs, undefined, { signal, ref: false }).catch(() => {});
  }
}
