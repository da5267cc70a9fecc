import "server-only";
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { database } from "@/lib/server/database/client";
import { currentSettings } from "@/lib/server/env";
import { CallError } from "./call-error";

/**
 * Every limit of the product. Counted in Postgres, so that all processes count together, and in this process's memory
 * while Postgres is away. RATE_LIMIT_FACTOR multiplies each.
 */
const limits = {
  /** Failed verifications by client address: a person mistypes nothing, a guesser needs 2^256. Good links are never counted. */
  guesses: { points: 20, duration: 300 },
  /** Saves and submissions by application: four steps, edited back and forth and retried, stay far below. */
  saves: { points: 600, duration: 60 },
} as const;

type LimitName = keyof typeof limits;

const limiters: Partial<Record<LimitName, RateLimiterPostgres>> = {};

function limiter(name: LimitName): RateLimiterPostgres {
  const { points, duration } = limits[name];
  const options = { keyPrefix: name, points: Math.ceil(points * currentSettings().rateLimitFactor), duration };
  limiters[name] ??= new RateLimiterPostgres({
    ...options,
    storeClient: database().pool,
    tableName: "rate_limits",
    tableCreated: true,
    // A key that is over its limit is refused from memory, without asking Postgres again.
    inMemoryBlockOnConsumed: options.points + 1,
    insuranceLimiter: new RateLimiterMemory(options),
  });
  return limiters[name];
}

/** Counts one call; throws 429 with the time to wait when that was one too many. */
export async function countAgainst(name: LimitName, key: string): Promise<void> {
  try {
    await limiter(name).consume(key);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const retryAfterSeconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
    throw new CallError(429, "Too many requests. Please wait a moment before you try again.", { retryAfterSeconds });
  }
}
