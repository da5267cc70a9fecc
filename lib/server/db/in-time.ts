import "server-only";
import { currentSettings } from "@/lib/server/settings";
import { database } from "./client";

/** Has a system code, so that isDatabaseAway takes it for a 503 and not for a 500. */
class DatabaseSilence extends Error {
  override name = "DatabaseSilence";
  readonly code = "ETIMEDOUT";
}

/**
 * Limits the time of a whole call; the pool's time-outs limit only each connection and each statement. Gives up after
 * 1.1 time-outs if the database has answered no other call lately either, otherwise (it is only busy) after 1.8.
 * `signal` is aborted then, so that the abandoned work does not save: the person may have sent newer answers meanwhile.
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
