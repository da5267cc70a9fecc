import { type Db, isDatabasePooled } from "@/lib/server/db/client";
import { limitStatements } from "@/lib/server/db/locks";
import { commercialKinds, type MessageKind } from "@/lib/server/outbox/message-kinds";
import { currentSettings } from "@/lib/server/settings";
import { type Message, type MessageChannel, Prisma, type PrismaClient } from "@/prisma/generated/client";

/**
 * A message that this worker may send until `dueAt`. `attempts` excludes postponed attempts (finish.ts) and those that ended
 * before the provider was contacted: an hour of database failures would otherwise use up every retry.
 */
export interface Claimed
  extends Omit<Message, "kind" | "state" | "template" | "providerId" | "error" | "sentAt" | "by"> {
  kind: MessageKind;
  /**
   * An earlier attempt contacted the provider and either never ended or ended as sent or unknown, because its worker was killed
   * or outlived its lease. Attempts made before `npm run messages -- retry` do not count.
   */
  isUncertain: boolean;
  /** The id of this attempt's row in `message_attempts`. */
  attemptId: bigint;
  /** When the lease ends by performance.now(), because this machine's wall clock can be wrong. */
  leaseEnds: number;
  /** When the lease ends by Date.now(), because performance.now() stops while a virtual machine is paused. */
  leaseEndsAt: number;
}

export const leaseSeconds = 60;
/** An arbitrary number that no other advisory lock uses. */
const capLock = 7_214_530_962;
export const transactionMs = 15_000;

export function workerTransaction<T>(db: PrismaClient, work: (tx: Db) => Promise<T>): Promise<T> {
  return db.$transaction(
    async (tx) => {
      // Without a pooler, every connection of the worker already has this limit (worker.ts).
      if (isDatabasePooled()) await limitStatements(tx, transactionMs);
      return work(tx);
    },
    { maxWait: transactionMs, timeout: 2 * transactionMs },
  );
}

/** Literals, because only they match the conditions of the two partial indexes on due messages. */
const commercialNames = commercialKinds.map((kind) => `'${kind}'`).join(", ");

/**
 * The first due messages, in order, from the index of their kinds. A message whose application is locked stays unclaimed: its
 * delivery would keep a connection until a long list of decisions ends.
 */
function dueIn(channel: MessageChannel, isCommercial: boolean, limit: number): Prisma.Sql {
  const isOfKind = Prisma.raw(`kind ${isCommercial ? "IN" : "NOT IN"} (${commercialNames})`);
  return Prisma.sql`(
    SELECT first.* FROM (
      SELECT id, "applicationId", state, "firstDueAt", "dueAt", ${isCommercial}::boolean AS "isCommercial" FROM messages
      WHERE state IN ('waiting', 'sending') AND ${isOfKind} AND channel = ${channel}::"MessageChannel" AND "dueAt" <= now()
      ORDER BY "dueAt" FOR UPDATE SKIP LOCKED
    ) AS first LEFT JOIN LATERAL (
      SELECT id FROM applications WHERE id = first."applicationId" FOR SHARE SKIP LOCKED
    ) AS unlocked ON true
    WHERE "applicationId" IS NULL OR unlocked.id IS NOT NULL LIMIT ${limit}::int
  )`;
}

/**
 * Claims up to `limit` due messages for a minute each, invitations and reminders last, so that a confirmation does not wait
 * behind a list. The daily cap limits emails and SMS further. Once invitations and reminders have used their part of it, only
 * other messages are claimed. If the worker is killed, its messages are due again after that minute.
 *
 * A single message is claimed to find out whether the provider is back. It is the one that has been due longest, because a
 * message that its server keeps deferring would otherwise always come before every invitation.
 */
export function claim(db: PrismaClient, channel: MessageChannel, limit: number): Promise<Claimed[]> {
  // Postgres starts the minute later, with the transaction, so no other worker gets the message before this lease ends.
  const leaseEnds = performance.now() + leaseSeconds * 1000;
  const leaseEndsAt = Date.now() + leaseSeconds * 1000;
  return workerTransaction(db, async (tx) => {
    const { all, commercial } = channel === "webhook" ? { all: limit, commercial: limit } : await remainingCap(tx);
    // While invitations may be claimed, every message of the claim may be one.
    const allowed = Math.min(limit, commercial > 0 ? commercial : all);
    if (allowed <= 0) return [];
    const due =
      commercial > 0
        ? Prisma.sql`${dueIn(channel, false, allowed)} UNION ALL ${dueIn(channel, true, allowed)}`
        : dueIn(channel, false, allowed);
    // Raw: SKIP LOCKED, so that workers neither wait for each other nor claim the same message.
    // The statement is prepared, so with m.* it would fail until the worker's restart once a migration adds a column.
    const claimed = await tx.$queryRaw<Claimed[]>`
      WITH ready AS (
        SELECT id, state = 'sending' AND EXISTS (
          SELECT FROM message_attempts t WHERE t."messageId" = due.id AND t."contactedAt" IS NOT NULL
            AND t.at >= "firstDueAt" AND (t."endedAt" IS NULL OR t.outcome IN ('sent', 'unknown'))
        ) AS "isUncertain"
        FROM (${due}) AS due
        ORDER BY ${limit > 1}::boolean AND "isCommercial", "dueAt" LIMIT ${allowed}::int
      ), claimed AS (
        UPDATE messages AS m SET state = 'sending', "dueAt" = now() + make_interval(secs => ${leaseSeconds}::int),
          "firstDueAt" = COALESCE("firstDueAt", "dueAt"), attempts = attempts + (state = 'waiting' OR "isUncertain")::int
        FROM ready WHERE m.id = ready.id
        RETURNING m.id, number, m."applicationId", channel, kind, recipient, detail, attempts, "dueAt", "firstDueAt",
          "createdAt", "isUncertain"
      ), tried AS (
        INSERT INTO message_attempts ("messageId", "applicationId") SELECT id, "applicationId" FROM claimed
        RETURNING id, "messageId"
      )
      SELECT c.*, t.id AS "attemptId" FROM claimed c JOIN tried t ON t."messageId" = c.id`;
    return claimed.map((message) => ({ ...message, leaseEnds, leaseEndsAt }));
  });
}

/** Invitations and reminders leave a tenth of the daily cap to other messages, and at least one message unless the cap is one. */
export function commercialCap(perDay: number): number {
  return perDay > 1 ? perDay - Math.ceil(perDay / 10) : perDay;
}

/**
 * What remains of the daily cap, and of the part that invitations and reminders may use. An email or SMS counts if it was sent
 * in the last 24 hours or is being sent, even if it has been cancelled since. It counts up to an hour ahead, because another
 * worker may have sent after this transaction began; a later time comes from a wrong clock. The lock makes concurrent claims
 * wait for each other, so that all workers together respect the cap.
 */
async function remainingCap(tx: Db): Promise<{ all: number; commercial: number }> {
  // Raw: an advisory lock.
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${capLock}::bigint)`;
  // Raw: the database's clock, and a single statement because every claim runs it.
  const [row] = await tx.$queryRaw<[{ count: bigint }]>`
    SELECT (
      SELECT count(*) FROM messages
      WHERE channel IN ('email', 'sms') AND "sentAt" BETWEEN now() - interval '1 day' AND now() + interval '1 hour'
    ) + (
      SELECT count(DISTINCT m.id) FROM message_attempts JOIN messages m ON m.id = "messageId"
      WHERE "endedAt" IS NULL AND at > now() - make_interval(secs => ${leaseSeconds}::int)
        AND m.channel IN ('email', 'sms') AND (m."sentAt" > now() - interval '1 day') IS NOT TRUE
    ) AS count`;
  const { MESSAGES_PER_DAY: perDay } = currentSettings();
  const used = Number(row.count);
  return { all: perDay - used, commercial: commercialCap(perDay) - used };
}
