import { Prisma } from "@/prisma/generated/client";
import type { Db } from "./client";

/** Locks, time limits and the database's clock, which Prisma's API cannot express. Other statements stand with their subject. */

/**
 * The database's time at the start of the transaction, which decides when links expire. A link dated by a wrong clock of this
 * machine could expire at once.
 * Postgres rounds it to milliseconds as it rounds the times in columns. The driver would cut it off, a millisecond earlier.
 */
export async function transactionTime(db: Db): Promise<Date> {
  // Raw: the database's clock.
  const [row] = await db.$queryRaw<[{ now: Date }]>`SELECT now()::timestamptz(3) AS now`;
  return row.now;
}

/** The database's current time. The transaction may have started long before, because it waited for a lock. */
export async function clockTime(tx: Db): Promise<Date> {
  // Raw: the database's clock. Based on now(), because the simulation moves no other clock.
  const [row] = await tx.$queryRaw<[{ now: Date }]>`
    SELECT (now() + (clock_timestamp() - transaction_timestamp()))::timestamptz(3) AS now`;
  return row.now;
}

/** Locks applications until the transaction ends: first in the order of locks (docs/architecture.md). */
export async function lockApplications(tx: Db, ids: string[]): Promise<void> {
  // Raw: row locks, in the order of the ids.
  await tx.$executeRaw`SELECT FROM applications WHERE id = ANY (${ids}::uuid[]) ORDER BY id FOR NO KEY UPDATE`;
}

/** Locks messages until the transaction ends: last in the order of locks. The next statement sees what others have committed. */
export async function lockMessages(tx: Db, numbers: number[]): Promise<void> {
  // Raw: row locks.
  await tx.$executeRaw`SELECT FROM messages WHERE number = ANY (${numbers}::bigint[]) ORDER BY number FOR NO KEY UPDATE`;
}

/** Sets a setting until the transaction ends. */
export async function setLocal(tx: Db, name: string, value: string): Promise<void> {
  // Raw: a setting of the transaction.
  await tx.$executeRaw`SELECT set_config(${name}, ${value}, true)`;
}

/** Ends a statement of the transaction that has to wait for a lock for longer: isLockTimeout in errors.ts. */
export const limitLockWaits = (tx: Db, milliseconds: number) => setLocal(tx, "lock_timeout", String(milliseconds));

/** The first of the two keys of these advisory locks, an arbitrary number; the second is a hash of the mobile. */
const mobileLock = 1_893_774;
/** Limits the distinct hashes, so that Postgres has room for the locks of a list of any length. */
const maxMobileLocks = 1024;

/**
 * Locks mobiles until the transaction ends: before everything else in the order of locks. With `skipLocked`, does not wait for
 * those that another transaction has locked.
 */
export async function lockMobiles(tx: Db, mobiles: string[], { skipLocked = false } = {}): Promise<void> {
  const lock = Prisma.raw(skipLocked ? "pg_try_advisory_xact_lock" : "pg_advisory_xact_lock");
  // Raw: advisory locks.
  await tx.$executeRaw`
    WITH keys AS MATERIALIZED (
      SELECT DISTINCT hashtext(mobile) & ${maxMobileLocks - 1}::int AS key FROM unnest(${mobiles}::text[]) AS mobile ORDER BY key
    ) SELECT ${lock}(${mobileLock}::int, key) FROM keys`;
}

/** A command prints its links before it commits. Postgres ends the transaction if nobody reads them for this long. */
const maxUnreadMs = 30_000;

export const limitUnreadLinks = (tx: Db) => setLocal(tx, "idle_in_transaction_session_timeout", String(maxUnreadMs));

/** Blocks an erasure of the application until the transaction ends, but no save. */
export async function lockAgainstErasure(tx: Db, id: string | null): Promise<void> {
  // Raw: a row lock.
  await tx.$executeRaw`SELECT FROM applications WHERE id = ${id}::uuid FOR KEY SHARE`;
}

/** Sets the time limit of each statement of a transaction, in place of the connection's or the role's. */
export const limitStatements = (tx: Db, milliseconds: number) =>
  setLocal(tx, "statement_timeout", String(milliseconds));

/** An arbitrary number that no other advisory lock uses. */
const evidenceLock = 7_214_530_964;

/** A process that is suspended while it holds the lock loses it after this time, even if its connection has a longer limit. */
const maxIdleMs = 10_000;

/** Lets only one transaction at a time append to the evidence log. Returns the time after the wait. */
export async function lockEvidenceLog(tx: Db): Promise<Date> {
  // Raw: an advisory lock, a setting of the transaction, and the database's clock.
  const [row] = await tx.$queryRaw<[{ now: Date }]>`
    SELECT clock_timestamp() AS now, set_config('idle_in_transaction_session_timeout', ${String(maxIdleMs)}, true)
    FROM pg_advisory_xact_lock(${evidenceLock}::bigint)`;
  return row.now;
}

/** An arbitrary number that no other advisory lock uses. */
const dailyMessageLock = 7_214_530_965;

/** Lets only one transaction at a time enqueue the messages that are sent once a day. */
export async function lockDailyMessages(tx: Db): Promise<void> {
  // Raw: an advisory lock.
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${dailyMessageLock}::bigint)`;
}
