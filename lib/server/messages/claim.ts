import "server-only";
import { senderQuery } from "@/lib/server/database/sender-pool";
import type { MessageKind } from "@/lib/server/outbox/kinds";
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
  /** The worker before did not end its attempt: it was killed, or took longer than its lease. */
  isAbandoned: boolean;
  attempt: string;
}

/**
 * Takes up to `most` due messages, each for a minute. A killed worker's are due again after that minute. SKIP LOCKED:
 * several workers never wait for each other, and never take the same.
 */
export function claim(channel: Channel, most: number): Promise<Claimed[]> {
  const { text, values } = Prisma.sql`
    WITH due AS (
      SELECT id, state = 'sending' AS "isAbandoned" FROM messages
      WHERE state IN ('waiting', 'sending') AND "dueAt" <= now() AND channel = ${channel}::"MessageChannel"
      ORDER BY "dueAt" LIMIT ${most}::int FOR UPDATE SKIP LOCKED
    ), claimed AS (
      UPDATE messages AS m SET state = 'sending', "dueAt" = now() + interval '1 minute', attempts = attempts + 1
      FROM due WHERE m.id = due.id
      RETURNING m.*, due."isAbandoned"
    ), tried AS (
      INSERT INTO message_attempts ("messageId", "applicationId") SELECT id, "applicationId" FROM claimed
      RETURNING id, "messageId"
    )
    SELECT c.id, c.number, c."applicationId", c.kind, c.channel, c.recipient, c.detail, c.attempts, c."dueAt", c."createdAt",
      c."isAbandoned", t.id AS attempt
    FROM claimed c JOIN tried t ON t."messageId" = c.id`;
  return senderQuery<Claimed>({ text, values });
}

/** Emails and SMS that were sent in the last 24 hours. */
export async function sentLately(): Promise<number> {
  const [row] = await senderQuery<{ count: string }>({
    text: `SELECT count(*) FROM messages WHERE channel IN ('email', 'sms') AND "sentAt" > now() - interval '1 day'`,
    values: [],
  });
  return Number(row?.count ?? 0);
}
