import "server-only";
import { RateLimiterMemory, RateLimiterPostgres } from "rate-limiter-flexible";
import { database } from "./client";

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
