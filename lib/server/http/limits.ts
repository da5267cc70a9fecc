import "server-only";
import type { RateLimiterPostgres, RateLimiterRes } from "rate-limiter-flexible";
import { limiter } from "@/lib/server/db/limiter";
import { currentSettings } from "@/lib/server/env";
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
  /** Fresh links asked for, per network and whatever the token. */
  freshLinks: { points: 10, duration: 600 },
  /** Messages stopped, per network. A mail provider calls for all its readers from a few addresses of its own. */
  stops: { points: 600, duration: 60 },
} as const;

type LimitName = keyof typeof limits;

// On globalThis: what Next bundles apart counts with this, also in memory.
const kept = globalThis as { rentAdvanceLimiters?: Partial<Record<LimitName, RateLimiterPostgres>> };
kept.rentAdvanceLimiters ??= {};
const limiters = kept.rentAdvanceLimiters;

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
  limiters[name] ??= limiter(name, mostOf(name), limits[name].duration);
  try {
    await limiters[name].consume(key);
  } catch (refusal) {
    // Not by its own class, which each bundle has for itself.
    if (refusal instanceof Error) throw refusal;
    throw tooMany(refusal as RateLimiterRes);
  }
}

function mostOf(name: LimitName): number {
  return Math.ceil(limits[name].points * currentSettings().rateLimitFactor);
}

function tooMany({ msBeforeNext }: RateLimiterRes): CallError {
  const retryAfterSeconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
  return new CallError(429, "Too many requests. Please wait a moment before you try again.", { retryAfterSeconds });
}
