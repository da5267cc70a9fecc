import type { MessageChannel } from "@/prisma/generated/client";

/**
 * How a claim ended, in an attempt to send or in the check before it. An error is a name or a code ('550 5.1.1',
 * 'ECONNREFUSED'), never the provider's text.
 */
export type Outcome =
  | { state: "sent"; providerId?: string }
  /** Retried on its channel's schedule, or after `afterSeconds` if that is longer. */
  | { state: "later"; error: string; afterSeconds?: number }
  /** Retried without counting as an attempt: the provider is unavailable (for `afterSeconds`), or it is too early (`until`). */
  | { state: "later"; error: string; isUncounted: true; until?: Date; afterSeconds?: number }
  /** Permanently failed. `isDeadAddress`: no message can ever reach this address. `isOptedOut`: its owner has stopped SMS. */
  | { state: "failed"; error: string; isDeadAddress?: true; isOptedOut?: true }
  /** Possibly sent. A person decides whether to retry. */
  | { state: "unknown"; error: string }
  /** Must no longer be sent. `isDeadAddress`: only because its address has turned out to be dead since. */
  | { state: "cancelled"; error: string; isDeadAddress?: true }
  /** The claim was lost: another worker has the message, or it was cancelled. Nothing was sent. */
  | { state: "superseded"; error: string };

/** The provider is unavailable. Its channel pauses for `outagePauseSeconds`, its message for `afterSeconds` if that is longer. */
export const providerUnavailable = (error: string, afterSeconds?: number): Outcome => ({
  state: "later",
  error,
  isUncounted: true,
  afterSeconds,
});

export function isProviderUnavailable(outcome: Outcome): boolean {
  return outcome.state === "later" && "isUncounted" in outcome && outcome.until === undefined;
}

/** Of an SMS whose worker was killed after it had contacted the provider. */
export const workerEnded = { state: "unknown", error: "the worker ended" } as const;

/** How long a message waits before it is due again while its provider is unavailable. */
export const outagePauseSeconds = 10;

const minute = 60;
const hour = 60 * minute;

/** The seconds to wait after the first attempt, the second, and so on. After the last delay, the message is abandoned. */
const schedules: Record<MessageChannel, readonly number[]> = {
  // Greylisting needs a few minutes, and a full mailbox may take a day to clear. About 63 hours in total.
  email: [minute, 5 * minute, 15 * minute, hour, 2 * hour, 4 * hour, 8 * hour, 12 * hour, 12 * hour, 24 * hour],
  sms: [30, minute, 5 * minute, 15 * minute, hour, 4 * hour],
  // The schedule of the Standard Webhooks specification, about 75 hours in total.
  webhook: [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour],
};

/** Undefined after the last attempt. */
export function delayAfter(channel: MessageChannel, attempts: number): number | undefined {
  return schedules[channel][attempts - 1];
}

/** A provider may postpone an attempt by a day, the longest delay in the schedules, but not forever. */
const maxDelay = 24 * hour;

/** The Retry-After header in seconds from now, whether it holds seconds or a date; undefined if it is missing or invalid. */
export function retryAfter(headers: Headers, now = Date.now()): number | undefined {
  const value = headers.get("retry-after");
  if (!value) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - now) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), maxDelay);
}
