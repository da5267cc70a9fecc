import "server-only";
import { type Db, isDatabasePooled } from "@/lib/server/db/client";
import { limitWorkerTransaction } from "@/lib/server/db/statements";
import type { MessageKind } from "@/lib/server/messages/outbox/kinds";
import { currentSettings } from "@/lib/server/settings";
import { type Message, type MessageChannel, Prisma, type PrismaClient } from "@/prisma/generated/client";

const columns = [
  ...(["id", "number", "applicationId", "kind", "channel"] as const),
  ...(["recipient", "detail", "attempts", "dueAt", "firstDueAt", "createdAt"] as const),
] satisfies (keyof Message)[];

/** A message that this worker may send, until `dueAt`. Times when the provider was away are no attempts. */
export interface Claimed extends Pick<Message, (typeof columns)[number]> {
  kind: MessageKind;
  /**
   * An earlier attempt contacted the provider, and either never ended or ended as sent or unknown: its worker was killed, or took
   * longer than its lease. Attempts from before `npm run messages -- retry` do not count.
   */
  isUncertain: boolean;
  /** The number of this attempt. */
  attempt: bigint;
  /** When the lease ends, by performance.now(): the clock of this machine may be wrong. */
  leaseEnds: number;
  /** The same by Date.now(): while a virtual machine is paused, its performance.now() stands still. */
  leaseEndsAt: number;
}

type Unleased = Omit<Claimed, "leaseEnds" | "leaseEndsAt">;

const leaseSeconds = 60;
/** An arbitrary number that no other advisory lock uses. */
const capLock = 7_214_530_962;
export const transactionMs = 15_000;

export function workerTransaction<T>(db: PrismaClient, work: (tx: Db) => Promise<T>): Promise<T> {
  return db.$transaction(
    async (tx) => {
      // Else the connections have this limit (worker.ts).
      if (isDatabasePooled()) await limitWorkerTransaction(tx, transactionMs);
      return work(tx);
    },
    { maxWait: transactionMs, timeout: 2 * transactionMs },
  );
}

/**
 * Takes up to `most` due messages, each for a minute, and of emails and texts no more than the day's cap leaves. A killed
 * worker's messages are due again after that minute.
 */
export function claim(db: PrismaClient, channel: MessageChannel, most: number): Promise<Claimed[]> {
  // Postgres counts the minute from the start of the transaction, and so nobody else has the message before this is over.
  const leaseEnds = performance.now() + leaseSeconds * 1000;
  const leaseEndsAt = Date.now() + leaseSeconds * 1000;
  return workerTransaction(db, async (tx) => {
    const left = channel === "webhook" ? most : Math.min(most, await leftOfCap(tx));
    const claimed = left > 0 ? await claimUpTo(tx, channel, left) : [];
    return claimed.map((message) => ({ ...message, leaseEnds, leaseEndsAt }));
  });
}

const claimed = Prisma.raw(columns.map((column) => `c."${column}"`).join(", "));

async function claimUpTo(tx: Db, channel: MessageChannel, most: number): Promise<Unleased[]> {
  // Raw: SKIP LOCKED. Several workers never wait for each other, and never take the same.
  return tx.$queryRaw<Unleased[]>`
    WITH ready AS (
      SELECT id, state = 'sending' AND EXISTS (
        SELECT FROM message_attempts t WHERE t."messageId" = m.id AND t."contactedAt" IS NOT NULL
          AND t.at >= m."firstDueAt" AND (t."endedAt" IS NULL OR t.outcome IN ('sent', 'unknown'))
      ) AS "isUncertain"
      FROM messages m
      WHERE state IN ('waiting', 'sending') AND "dueAt" <= now() AND channel = ${channel}::"MessageChannel"
      ORDER BY "dueAt" LIMIT ${most}::int FOR UPDATE SKIP LOCKED
    ), claimed AS (
      UPDATE messages AS m SET state = 'sending', "dueAt" = now() + make_interval(secs => ${leaseSeconds}::int),
        "firstDueAt" = COALESCE("firstDueAt", "dueAt"), attempts = attempts + 1
      FROM ready WHERE m.id = ready.id
      RETURNING m.*, ready."isUncertain"
    ), tried AS (
      INSERT INTO message_attempts ("messageId", "applicationId") SELECT id, "applicationId" FROM claimed
      RETURNING id, "messageId"
    )
    SELECT ${claimed}, c."isUncertain", t.id AS attempt FROM claimed c JOIN tried t ON t."messageId" = c.id`;
}

/**
 * What the day's cap leaves: emails and texts that were sent in the last 24 hours or are being sent count, even if they are
 * cancelled meanwhile. Workers that claim at the same time wait for each other here, so that they keep the cap together.
 */
async function leftOfCap(tx: Db): Promise<number> {
  // Raw: an advisory lock.
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${capLock}::bigint)`;
  // Raw: the database's clock, in one statement that every claim runs.
  const [row] = await tx.$queryRaw<{ count: bigint }[]>`
    SELECT (
      SELECT count(*) FROM messages WHERE channel IN ('email', 'sms') AND "sentAt" > now() - interval '1 day'
    ) + (
      SELECT count(DISTINCT m.id) FROM message_attempts JOIN messages m ON m.id = "messageId"
      WHERE "endedAt" IS NULL AND at > now() - make_interval(secs => ${leaseSeconds}::int)
        AND m.channel IN ('email', 'sms') AND (m."sentAt" > now() - interval '1 day') IS NOT TRUE
    ) AS count`;
  return currentSettings().MESSAGES_PER_DAY - Number(row?.count ?? 0);
}
