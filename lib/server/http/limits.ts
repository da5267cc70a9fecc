import "server-only";
import { RateLimiterMemory, RateLimiterPostgres, type RateLimiterRes } from "rate-limiter-flexible";
import { database } from "@/lib/server/db/client";
import { currentSettings } from "@/lib/server/settings";
import { CallError } from "./call-error";
import { networkOf, widerNetworkOf } from "./client-address";

/** Every limit of the product. RATE_LIMIT_FACTOR multiplies each. */
export const limits = {
  /** Failed verifications per client address. Valid tokens are not counted, and nobody types a token by hand. */
  guesses: { points: 20, duration: 300 },
  /** The same per /48 of IPv6, since whoever has one has 65,536 networks to choose from. A customer of a provider may have one too. */
  widerGuesses: { points: 80, duration: 300 },
  /** Saves and submissions per application: four steps, edited back and forth and retried, stay far below. */
  saves: { points: 600, duration: 60 },
  /** Calls of one key of the invitation API, of up to 100 invitations each. */
  invitations: { points: 600, duration: 60 },
  /** Fresh links asked for, per network and whatever the token. */
  freshLinks: { points: 10, duration: 600 },
  /** Messages stopped, per network. A mail provider calls for all its readers from a few addresses of its own. */
  stops: { points: 600, duration: 60 },
  /** Reports of what the Content-Security-Policy has blocked, per network. */
  policyReports: { points: 60, duration: 60 },
} as const;

type LimitName = keyof typeof limits;

const limiters: Partial<Record<LimitName, RateLimiterPostgres>> = {};

/** Counts in Postgres, so that all processes count together, and in memory while it is away (docs/decisions/unlogged-limits.md). */
function limiter(name: LimitName): RateLimiterPostgres {
  const points = Math.ceil(limits[name].points * currentSettings().RATE_LIMIT_FACTOR);
  const options = { keyPrefix: name, points, duration: limits[name].duration };
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

/** Counts a wrong token against where it came from. */
export async function countGuess(address: string): Promise<void> {
  const wider = widerNetworkOf(address);
  const counted = [
    countAgainst("guesses", networkOf(address)),
    ...(wider ? [countAgainst("widerGuesses", wider)] : []),
  ];
  // Each counts, also where the other refuses.
  const refused = (await Promise.allSettled(counted)).find((one) => one.status === "rejected");
  if (refused) throw refused.reason;
}

/** Counts one call. Over the limit, throws 429 with Retry-After. */
export async function countAgainst(name: LimitName, key: string): Promise<void> {
  limiters[name] ??= limiter(name);
  try {
    await limiters[name].consume(key);
  } catch (refusal) {
    if (refusal instanceof Error) throw refusal;
    const { msBeforeNext } = refusal as RateLimiterRes;
    throw new CallError(429, "Too many requests. Please wait a moment before you try again.", {
      retryAfterSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
    });
  }
}
