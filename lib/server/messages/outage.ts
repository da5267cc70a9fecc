import "server-only";
import type { Db } from "@/lib/server/db/client";
import { databaseNow } from "@/lib/server/db/statements";
import { logProvider } from "@/lib/server/http/log";
import type { MessageChannel } from "@/prisma/generated/client";
import { isProviderAway, type Outcome } from "./outcome";

/** After so long without an answer it is logged, and again each time that so long has passed. */
const patienceMs = 600_000;

interface Outage {
  since: number;
  /** Why the last attempt failed, by its code. */
  reason: string;
  warnedAt?: number;
}

/** Of each channel whose provider this process could not reach the last time. */
const outages = new Map<MessageChannel, Outage>();

/** A receiver of webhooks that fails makes each message wait by itself; it is no less away. */
function isAway(channel: MessageChannel, outcome: Outcome): boolean {
  return isProviderAway(outcome) || (channel === "webhook" && outcome.state === "later");
}

/** A refusal of one message is an answer as well. What was cancelled or has no answer proves nothing. */
function isAnswered(outcome: Outcome): boolean {
  return outcome.state === "sent" || ("error" in outcome && /^(HTTP )?\d{3}\b/.test(outcome.error));
}

export function noteOutage(channel: MessageChannel, outcome: Outcome): void {
  if (isAway(channel, outcome)) {
    const reason = "error" in outcome ? outcome.error : "";
    outages.set(channel, { since: Date.now(), ...outages.get(channel), reason });
  } else if (isAnswered(outcome)) end(channel);
}

/** Warns while a provider stays away. Called with each round, since attempts become rare while nobody answers. */
export async function reportOutage(db: Db, channel: MessageChannel): Promise<void> {
  const outage = outages.get(channel);
  if (!outage || Date.now() - (outage.warnedAt ?? outage.since) < patienceMs) return;
  if (!(await goesOn(db, channel, outage))) return end(channel);
  outage.warnedAt = Date.now();
  logProvider({ channel, provider: "unreachable", reason: outage.reason, ...lasted(outage) });
}

/** Another process may have reached it since, and what waited may have been cancelled. */
async function goesOn(db: Db, channel: MessageChannel, { since }: Outage): Promise<boolean> {
  const began = new Date((await databaseNow(db)).getTime() - (Date.now() - since));
  const sent = await db.message.findFirst({ where: { channel, sentAt: { gt: began } } });
  if (sent) return false;
  const waiting = await db.message.findFirst({
    where: { channel, state: { in: ["waiting", "sending"] }, firstDueAt: { not: null } },
  });
  return waiting !== null;
}

function end(channel: MessageChannel): void {
  const outage = outages.get(channel);
  outages.delete(channel);
  if (outage?.warnedAt) logProvider({ channel, provider: "reachable", ...lasted(outage) });
}

function lasted({ since }: Outage): { since: string; minutes: number } {
  return { since: new Date(since).toISOString(), minutes: Math.floor((Date.now() - since) / 60_000) };
}
