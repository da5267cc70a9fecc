import "server-only";
import { inSenderTransaction } from "@/lib/server/db/sender-pool";
import { logProvider } from "@/lib/server/http/log";
import type { Channel } from "./claim";
import type { Ending } from "./finish";

/** After so long without an answer somebody is told, and again each time that so long has passed. */
const patienceMs = 600_000;

interface Outage {
  since: number;
  /** Why the last attempt failed, by its code. */
  reason: string;
  warnedAt?: number;
}

/** Of each channel whose provider this process could not reach the last time. */
const outages = new Map<Channel, Outage>();

/** A receiver of webhooks that fails makes each message wait by itself; it is no less away. */
function isAway(channel: Channel, { state }: Ending): boolean {
  return state === "away" || (channel === "webhook" && state === "later");
}

/** A refusal of one message is an answer as well. What was cancelled or has no answer tells nothing. */
function isAnswered(ending: Ending): boolean {
  return ending.state === "sent" || ("error" in ending && /^(HTTP )?\d{3}\b/.test(ending.error));
}

export function noteOutage(channel: Channel, ending: Ending): void {
  if (isAway(channel, ending)) {
    const reason = "error" in ending ? ending.error : "";
    outages.set(channel, { since: Date.now(), ...outages.get(channel), reason });
  } else if (isAnswered(ending)) end(channel);
}

/** Warns while a provider stays away. Called with each round, since attempts become rare while nobody answers. */
export async function tellOutage(channel: Channel): Promise<void> {
  const outage = outages.get(channel);
  if (!outage || Date.now() - (outage.warnedAt ?? outage.since) < patienceMs) return;
  if (!(await goesOn(channel, outage))) return end(channel);
  outage.warnedAt = Date.now();
  logProvider({ channel, provider: "unreachable", reason: outage.reason, ...lasted(outage) });
}

/** Another process may have reached it since, and what waited may have been cancelled. */
async function goesOn(channel: Channel, { since }: Outage): Promise<boolean> {
  const text = `SELECT NOT EXISTS (
        SELECT FROM messages WHERE channel = $1::"MessageChannel" AND "sentAt" > now() - make_interval(secs => $2)
      ) AND EXISTS (
        SELECT FROM messages WHERE channel = $1::"MessageChannel" AND state IN ('waiting', 'sending') AND "firstDueAt" IS NOT NULL
      ) AS "goesOn"`;
  const values = [channel, (Date.now() - since) / 1000];
  const [found] = await inSenderTransaction((query) => query<{ goesOn: boolean }>({ text, values }));
  return found?.goesOn ?? false;
}

function end(channel: Channel): void {
  const outage = outages.get(channel);
  outages.delete(channel);
  if (outage?.warnedAt) logProvider({ channel, provider: "reachable", ...lasted(outage) });
}

function lasted({ since }: Outage): { since: string; minutes: number } {
  return { since: new Date(since).toISOString(), minutes: Math.floor((Date.now() - since) / 60_000) };
}
