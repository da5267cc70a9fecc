import "server-only";
import { RateLimiterMemory, RateLimiterPostgres } from "rate-limiter-flexible";
import { database } from "./client";

/** How often since the first, and in how many milliseconds it begins again. */
export interface Count {
  points: number;
  msBeforeNext: number;
}

/**
 * Counts what has the id of `from`, as part of a statement, and as the limiter below does: for $2 milliseconds from the first.
 */
export function counting(keyPrefix: string, from: string): string {
  const now = "(extract(epoch FROM now()) * 1000)::bigint";
  return `
    INSERT INTO rate_limits AS l (key, points, expire)
    SELECT '${keyPrefix}:' || ${from}.id, 1, ${now} + $2 FROM ${from}
    ON CONFLICT (key) DO UPDATE SET
      points = CASE WHEN l.expire <= ${now} THEN 1 ELSE l.points + 1 END,
      expire = CASE WHEN l.expire <= ${now} THEN excluded.expire ELSE l.expire END
    RETURNING points, expire - ${now} AS "msBeforeNext"`;
}

/**
 * Allows `points` in `duration` seconds for each key. Counts in Postgres, so that all processes count together, and in
 * this process's memory while Postgres is away (docs/decisions/unlogged-limits.md).
 */
export function limiter(keyPrefix: string, points: number, duration: number): RateLimiterPostgres {
  const options = { keyPrefix, points, duration };
  return new RateLimiterPostgres({
    ...options,
    storeClient: database().pool,
    tableName: "rate_limits",
    tableCreated: true,
    // A key that is over its limit is refused from memory, without asking Postgres again.
    inMemoryBlockOnConsumed: points + 1,
    insuranceLimiter: new RateLimiterMemory(options),
  });
}
