import { BurstyRateLimiter, RateLimiterMemory, RateLimiterPostgres, type RateLimiterRes } from "rate-limiter-flexible";
import { cached } from "@/lib/domain/cached";
import { database } from "@/lib/server/db/client";
import { currentSettings } from "@/lib/server/settings";
import { CallError } from "./call-error";
import { networkOf, widerNetworkOf } from "./client-address";

/** Every rate limit. RATE_LIMIT_FACTOR multiplies all of them. */
const limits = {
  /** Wrong tokens, API keys and signatures per network. Valid tokens are not counted, and nobody types a token by hand. */
  guesses: { points: 20, duration: 300 },
  /** The same per IPv6 /48, because a /48 has 65,536 networks. Providers assign one even to single customers. */
  guessesWider: { points: 80, duration: 300 },
  /** Saves and submissions per application, in addition to `savesPerProcess`. */
  saves: { points: 540, duration: 60 },
  /** Calls per key of the invitation API, each with up to 100 invitations. */
  invitations: { points: 600, duration: 60 },
  /** Requests for fresh links per network, regardless of the token. */
  freshLinks: { points: 10, duration: 600 },
  /** The same per IPv6 /48. The worker answers a hundred requests a second, so a flood would delay those of applicants. */
  freshLinksWider: { points: 40, duration: 600 },
  /** Opt-outs per network. A mail provider sends those of all its users from a few addresses of its own. */
  stops: { points: 600, duration: 60 },
  stopsWider: { points: 2400, duration: 60 },
  /** Reports of Content-Security-Policy violations per network. */
  policyReports: { points: 60, duration: 60 },
  policyReportsWider: { points: 240, duration: 60 },
  /** Beacons of web vitals per network. A flood would distort the metrics. */
  vitals: { points: 600, duration: 60 },
  vitalsWider: { points: 2400, duration: 60 },
  /** Beginnings and ends of sign-ins to the desk, per network. A whole office may share one. */
  signIns: { points: 100, duration: 300 },
} as const;

/**
 * Each process counts this many saves of an application in memory before it counts them in Postgres, which costs a round trip.
 * Four steps, with repeated edits and retries, stay below this.
 */
const savesPerProcess = { points: 60, duration: 60 };

type LimitName = keyof typeof limits;
/** The limits of a network, which also have one of the /48 around it. */
type NetworkLimit = { [Name in LimitName]: `${Name}Wider` extends LimitName ? Name : never }[LimitName];

function scaled({ points, duration }: { points: number; duration: number }) {
  return { points: Math.ceil(points * currentSettings().RATE_LIMIT_FACTOR), duration };
}

/** Counts in Postgres, so that all processes share a count; in memory during an outage (docs/decisions/unlogged-limits.md). */
const limiter = cached((name: LimitName): Pick<RateLimiterPostgres, "consume"> => {
  const options = { keyPrefix: name, ...scaled(limits[name]) };
  const shared = new RateLimiterPostgres({
    ...options,
    storeClient: database().pool,
    tableName: "rate_limits",
    tableCreated: true,
    // A key that is over its limit is refused from memory, without another query.
    inMemoryBlockOnConsumed: options.points + 1,
    insuranceLimiter: new RateLimiterMemory(options),
  });
  return name === "saves" ? new BurstyRateLimiter(new RateLimiterMemory(scaled(savesPerProcess)), shared) : shared;
});

/** Counts against the client's network and, for IPv6, the /48 around it. */
export async function countPerNetwork(name: NetworkLimit, address: string): Promise<void> {
  await countAgainst(name, networkOf(address));
  const widerNetwork = widerNetworkOf(address);
  if (widerNetwork) await countAgainst(`${name}Wider`, widerNetwork);
}

/** Counts a wrong token, API key or signature of an SMS provider. */
export const countGuess = (address: string) => countPerNetwork("guesses", address);

/** Counts a sign-in to the desk. Returns false over the limit. */
export async function countSignIn(address: string): Promise<boolean> {
  return countAgainst("signIns", networkOf(address)).then(
    () => true,
    (error) => {
      if (error instanceof CallError) return false;
      throw error;
    },
  );
}

/** Counts one call. Over the limit, throws 429 with Retry-After. */
export async function countAgainst(name: LimitName, key: string): Promise<void> {
  try {
    await limiter(name).consume(key);
  } catch (refusal) {
    if (refusal instanceof Error) throw refusal;
    const seconds = Math.max(1, Math.ceil((refusal as RateLimiterRes).msBeforeNext / 1000));
    throw new CallError(429, "Too many requests", { headers: { "retry-after": String(seconds) } });
  }
}
