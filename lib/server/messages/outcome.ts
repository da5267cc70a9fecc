import "server-only";
import type { MessageChannel } from "@/prisma/generated/client";

/**
 * How a claim ended: an attempt to send, or the check before it. An error is a name or a code ('550 5.1.1',
 * 'ECONNREFUSED'), never the provider's text.
 */
export type Outcome =
  | { state: "sent"; providerId?: string }
  /** Tried again: by its channel's schedule, or after so long. */
  | { state: "later"; error: string; afterSeconds?: number }
  /** Not this message's fault, so it counts as no attempt: its provider is away, perhaps for so long, or it is too early. */
  | { state: "later"; error: string; isUntried: true; until?: Date; afterSeconds?: number }
  /** For good. `isDeadAddress`: nothing will ever arrive there. */
  | { state: "failed"; error: string; isDeadAddress?: true }
  /** Perhaps sent. A person decides. */
  | { state: "unknown"; error: string }
  /** Not to be sent any more. */
  | { state: "cancelled"; error: string }
  /** The claim has ended: another worker has the message, or it was cancelled. Nothing was sent. */
  | { state: "superseded"; error: string };

/** The provider as a whole: nothing of the channel is tried for some seconds, and the message not before it says. */
export const providerAway = (error: string, afterSeconds?: number): Outcome => ({
  state: "later",
  error,
  isUntried: true,
  afterSeconds,
});

export function isProviderAway(outcome: Outcome): boolean {
  return outcome.state === "later" && "isUntried" in outcome && outcome.until === undefined;
}

/** While its provider is away a message is due again after so long. */
export const awaySeconds = 10;

const minute = 60;
const hour = 60 * minute;

/** Seconds after each attempt that is to be followed by another. */
const schedules: Record<MessageChannel, readonly number[]> = {
  // A greylist wants a few minutes; a full mailbox may take a day. Some 60 hours in all.
  email: [minute, 5 * minute, 15 * minute, hour, 2 * hour, 4 * hour, 8 * hour, 12 * hour, 12 * hour, 24 * hour],
  sms: [30, minute, 5 * minute, 15 * minute, hour, 4 * hour],
  // That of the Standard Webhooks specification, some 75 hours in all.
  webhook: [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour],
};

/** Undefined after the last. */
export function delayAfter(channel: MessageChannel, attempts: number): number | undefined {
  return schedules[channel][attempts - 1];
}

/** A receiver may put an attempt off for a day, the longest delay of the schedule, and not for ever. */
const longest = 24 * hour;

/** What the header asks for, in seconds from now, whether it is written in seconds or as a date; undefined without one. */
export function retryAfter(headers: Headers, now = Date.now()): number | undefined {
  const wish = headers.get("retry-after");
  if (!wish) return undefined;
  const seconds = /^\d+$/.test(wish) ? Number(wish) : Math.ceil((Date.parse(wish) - now) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), longest);
}
