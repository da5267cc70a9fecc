import type { Db } from "@/lib/server/db/client";
import { transactionTime } from "@/lib/server/db/locks";
import { logProcess } from "@/lib/server/http/log";
import { isProviderUnavailable, type Outcome, outagePauseSeconds, workerEnded } from "@/lib/server/outbox/outcome";
import type { MessageChannel } from "@/prisma/generated/client";

/** An outage is logged after this long without a response, and again at this interval. */
const warningIntervalMs = 600_000;

/** During an outage, attempts begin more often than this: one takes a minute at most, and the next follows a minute later. */
const recentMs = 180_000;

/** After this long, an outage is tried less often. Operations have had the warning for most of the time. */
const longOutageMs = 3_600_000;

/** Once this many messages in a row are unknown, messages are sent one at a time. */
export const maxUnknown = 100;

interface Outage {
  since: number;
  /** The error code of the last failed attempt. */
  reason: string;
  /** How many messages have become unknown since. */
  unknown: number;
  checkedAt?: number;
  isReported?: true;
}

/** The current outage of each channel, as this process has observed it. */
const outages = new Map<MessageChannel, Outage>();

/**
 * How long a channel pauses after an attempt that did not reach its provider. During a long outage it pauses longer, because
 * each attempt adds a link, its event and an attempt to the history of an application.
 */
export function outagePauseMs(channel: MessageChannel): number {
  const { since = Date.now() } = outages.get(channel) ?? {};
  const isLong = Date.now() - since >= longOutageMs;
  return outagePauseSeconds * 1000 * (isLong ? 6 : 1);
}

/**
 * Whether to try one message at a time. A provider that was not reached has not taken the message, which waits. One that took
 * it and did not answer may have sent it: without a limit, a whole list and the day's cap would become unknown.
 */
export function isPaused(channel: MessageChannel): boolean {
  const outage = outages.get(channel);
  return outage !== undefined && (outage.unknown === 0 || outage.unknown >= maxUnknown);
}

/** An outage begins with a batch in which the provider responded to no message, and ends with its next response. */
export function trackOutage(channel: MessageChannel, outcomes: Outcome[]): void {
  const responses = outcomes.map((outcome) => hasResponded(channel, outcome));
  const failed = outcomes[responses.indexOf(false)];
  if (responses.includes(true)) end(channel);
  else if (failed && "error" in failed) {
    const outage = outages.get(channel) ?? { since: Date.now(), unknown: 0 };
    const unknown = outage.unknown + outcomes.filter(({ state }) => state === "unknown").length;
    outages.set(channel, { ...outage, reason: failed.error, unknown });
  }
}

/** Whether the provider responded; undefined if the outcome does not show it, as after a cancellation. */
function hasResponded(channel: MessageChannel, outcome: Outcome): boolean | undefined {
  if (outcome.state === "sent") return true;
  // A failing webhook receiver postpones each message separately, but it counts as unavailable all the same.
  if (isProviderUnavailable(outcome) || (channel === "webhook" && outcome.state === "later")) return false;
  if (outcome.state === "unknown") return outcome.error === workerEnded.error ? undefined : false;
  // A refusal is a response, too.
  return /^(HTTP )?\d{3}\b/.test(outcome.error) || undefined;
}

/** Warns while a provider is unavailable. Each round calls it, because attempts become rare during an outage. */
export async function reportOutage(db: Db, channel: MessageChannel): Promise<void> {
  const outage = outages.get(channel);
  if (!outage || Date.now() - (outage.checkedAt ?? outage.since) < warningIntervalMs) return;
  outage.checkedAt = Date.now();
  const now = (await transactionTime(db)).getTime();
  const began = new Date(now - (Date.now() - outage.since));
  // Another process may have reached the provider. An unknown message has a `sentAt` too, but perhaps it was not sent.
  const sent = await db.message.findFirst({ where: { channel, sentAt: { gt: began }, state: { not: "unknown" } } });
  if (sent) return end(channel);
  if (await isFailing(db, channel, outage, now)) {
    outage.isReported = true;
    logProcess("warn", { channel, provider: "unreachable", reason: outage.reason, ...duration(outage) });
  }
  // A reported outage ends only with a response, because its messages may wait for business hours.
  if (!outage.isReported) outages.delete(channel);
}

/**
 * Whether a message that the outage has postponed still waits, or an attempt has failed recently: messages whose outcome is
 * unknown do not wait. Those that wait for another reason, such as a full mailbox, have another error.
 */
async function isFailing(db: Db, channel: MessageChannel, { reason: error }: Outage, now: number): Promise<boolean> {
  const state = { in: ["waiting" as const, "sending" as const] };
  if (await db.message.findFirst({ where: { channel, state, error } })) return true;
  const at = { gt: new Date(now - recentMs) };
  return (await db.messageAttempt.findFirst({ where: { message: { channel }, at, error } })) !== null;
}

function end(channel: MessageChannel): void {
  const outage = outages.get(channel);
  outages.delete(channel);
  if (outage?.isReported) logProcess("info", { channel, provider: "reachable", ...duration(outage) });
}

function duration({ since }: Outage): { since: string; minutes: number } {
  return { since: new Date(since).toISOString(), minutes: Math.floor((Date.now() - since) / 60_000) };
}
