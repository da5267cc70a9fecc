import "server-only";
import { currentSettings } from "@/lib/server/env";
import { database } from "./client";

/** The database has answered nobody for too long; the code tells it from a fault of our own. */
class DatabaseSilence extends Error {
  override name = "DatabaseSilence";
  readonly code = "ETIMEDOUT";
}

/**
 * Bounds a whole call, where the pool's time-outs bound each wait and each statement alone. A database that answers
 * nobody is given up after little more than one time-out; one that is busy with a crowd may take nearly two.
 * The signal tells work that was given up to go no further: what it would still save may be out of date by then.
 */
export async function inTime<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { databaseTimeoutMs: most } = currentSettings();
  const begun = performance.now();
  const givenUp = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    const judge = () => {
      const now = performance.now();
      const isSilent = now - database().answeredAt > most * 0.6;
      if (!isSilent && now - begun <= most * 1.8) {
        timer = setTimeout(judge, most / 10);
        return;
      }
      const error = new DatabaseSilence("The database does not answer");
      givenUp.abort(error);
      reject(error);
    };
    timer = setTimeout(judge, most * 1.1);
  });
  return Promise.race([work(givenUp.signal), silence]).finally(() => clearTimeout(timer));
}
