import "server-only";
import { inSenderTransaction, type SenderTransaction } from "@/lib/server/db/sender-pool";
import type { MessageKind } from "@/lib/server/messages/outbox/kinds";
import { currentSettings } from "@/lib/server/settings";
import { Prisma } from "@/prisma/generated/client";

export type Channel = "email" | "sms" | "webhook";

/** A message that this worker may send, until `dueAt`. */
export interface Claimed {
  id: string;
  number: string;
  applicationId: string | null;
  kind: MessageKind;
  channel: Channel;
  recipient: string;
  detail: string;
  /** How often it was tried, this time included; times when the provider was away are not counted. */
  attempts: number;
  /** When another worker takes it up. */
  dueAt: Date;
  createdAt: Date;
  /** An earlier attempt contacted the provider and did not end: its worker was killed, or took longer than its lease. */
  isUncertain: boolean;
  attempt: string;
  /** When the lease ends, by performance.now(): the clock of this machine may be wrong. */
  leaseEnds: number;
}

const leaseSeconds = 60;
/** An arbitrary number that no other advisory lock uses. */
const capLock = 7_214_530_962;

/**
 * Takes up to `most` due messages, each for a minute, and of emails and texts no more than the day's cap leaves. A killed
 * worker's messages are due again after that minute.
 */
export function claim(channel: Channel, most: number): Promise<Claimed[]> {
  return inSenderTransaction(async (query) => {
    const left = channel === "webhook" ? most : Math.min(most, await leftOfCap(query));
    return left > 0 ? claimUpTo(query, channel, left) : [];
  });
}

/** SKIP LOCKED: several workers never wait for each other, and never take the same. */
async function claimUpTo(query: SenderTransaction, channel: Channel, most: number): Promise<Claimed[]> {
  const leaseEnds = performance.now() + leaseSeconds * 1000;
  const { text, values } = Prisma.sql`
    WITH due AS (
      SELECT id, state = 'sending' AND EXISTS (
        SELECT FROM message_attempts t WHERE t."messageId" = m.id AND t."contactedAt" IS NOT NULL AND t."endedAt" IS NULL
      ) AS "isUncertain"
      FROM messages m
      WHERE state IN ('waiting', 'sending') AND "dueAt" <= now() AND channel = ${channel}::"MessageChannel"
      ORDER BY "dueAt" LIMIT ${most}::int FOR UPDATE SKIP LOCKED
    ), claimed AS (
      UPDATE messages AS m SET state = 'sending', "dueAt" = now() + make_interval(secs => ${leaseSeconds}),
        "firstDueAt" = COALESCE("firstDueAt", "dueAt"), attempts = attempts + 1
      FROM due WHERE m.id = due.id
      RETURNING m.*, due."isUncertain"
    ), tried AS (
      INSERT INTO message_attempts ("messageId", "applicationId") SELECT id, "applicationId" FROM claimed
      RETURNING id, "messageId"
    )
    SELECT c.id, c.number, c."applicationId", c.kind, c.channel, c.recipient, c.detail, c.attempts, c."dueAt", c."createdAt",
      c."isUncertain", t.id AS attempt
    FROM claimed c JOIN tried t ON t."messageId" = c.id`;
  const claimed = await query<Omit<Claimed, "leaseEnds">>({ text, values });
  return claimed.map((message) => ({ ...message, leaseEnds }));
}

/**
 * What the day's cap leaves: emails and texts that were sent in the last 24 hours or are being sent count. Workers that claim
 * at the same time wait for each other here, so that they keep the cap together.
 */
async function leftOfCap(query: SenderTransaction): Promise<number> {
  await query({ text: "SELECT pg_advisory_xact_lock($1)", values: [capLock] });
  const [row] = await query<{ count: string }>({
    text: `SELECT count(*) FROM messages WHERE channel IN ('email', 'sms')
      AND ("sentAt" > now() - interval '1 day' OR (state = 'sending' AND "dueAt" > now()))`,
    values: [],
  });
  return currentSettings().sending.perDay - Number(row?.count ?? 0);
}
