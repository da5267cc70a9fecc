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
 */
export async function inTime<T>(work: Promise<T>): Promise<T> {
  const { databaseTimeoutMs: most } = currentSettings();
  const begun = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    const judge = () => {
      const now = performance.now();
      const isSilent = now - database().answeredAt > most * 0.6;
      if (isSilent || now - begun > most * 1.8) reject(new DatabaseSilence("The database does not answer"));
      else timer = setTimeout(judge, most / 10);
    };
    timer = setTimeout(judge, most * 1.1);
  });
  return Promise.race([work, silence]).finally(() => clearTimeout(timer));
}
