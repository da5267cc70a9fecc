import type { Db } from "@/lib/server/db/client";
import { databaseNow } from "@/lib/server/db/statements";
import { logProcess } from "@/lib/server/http/log";
import type { MessageChannel } from "@/prisma/generated/client";
import { isProviderUnavailable, type Outcome } from "./outcome";

/** An outage is logged after this long without a response, and again at this interval. */
const warningIntervalMs = 600_000;

/** A message that has been due for this long waits behind others: a worker claims a new one within a second or two. */
const backlogMs = 60_000;

interface Outage {
  since: number;
  /** The error code of the last failed attempt. */
  reason: string;
  warnedAt?: number;
}

/** The current outage of each channel, as this process has observed it. */
const outages = new Map<MessageChannel, Outage>();

export function trackOutage(channel: MessageChannel, outcome: Outcome): void {
  const reason = "error" in outcome ? outcome.error : "";
  // A failing webhook receiver postpones each message separately, but it counts as unavailable all the same.
  if (isProviderUnavailable(outcome) || (channel === "webhook" && outcome.state === "later"))
    outages.set(channel, { since: Date.now(), ...outages.get(channel), reason });
  // A refusal is a response, too. A cancelled or unknown message proves nothing.
  else if (outcome.state === "sent" || (outcome.state !== "unknown" && /^(HTTP )?\d{3}\b/.test(reason))) end(channel);
}

/** Warns while a provider is unavailable. Each round calls it, because attempts become rare during an outage. */
export async function reportOutage(db: Db, channel: MessageChannel): Promise<void> {
  const outage = outages.get(channel);
  if (!outage || Date.now() - (outage.warnedAt ?? outage.since) < warningIntervalMs) return;
  if (!(await isOngoing(db, channel, outage))) return end(channel);
  outage.warnedAt = Date.now();
  logProcess("warn", { channel, provider: "unreachable", reason: outage.reason, ...duration(outage) });
}

/** Another process may have reached the provider since, or the waiting messages may have been cancelled. */
async function isOngoing(db: Db, channel: MessageChannel, { since }: Outage): Promise<boolean> {
  const now = (await databaseNow(db)).getTime();
  const began = new Date(now - (Date.now() - since));
  // An unknown message has a `sentAt` too, but nobody knows whether the provider has taken it.
  const sent = await db.message.findFirst({ where: { channel, sentAt: { gt: began }, state: { not: "unknown" } } });
  if (sent) return false;
  const waiting = await db.message.findFirst({
    where: {
      channel,
      state: { in: ["waiting", "sending"] },
      // If every attempt ends as unknown, no message that was tried waits. Those that were not tried wait behind it.
      OR: [{ firstDueAt: { not: null } }, { dueAt: { lt: new Date(now - backlogMs) } }],
    },
  });
  return waiting !== null;
}

function end(channel: MessageChannel): void {
  const outage = outages.get(channel);
  outages.delete(channel);
  if (outage?.warnedAt) logProcess("info", { channel, provider: "reachable", ...duration(outage) });
}

function duration({ since }: Outage): { since: string; minutes: number } {
  return { since: new Date(since).toISOString(), minutes: Math.floor((Date.now() - since) / 60_000) };
}
