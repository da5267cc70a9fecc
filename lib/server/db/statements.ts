import { escapeIdentifier, type QueryResultRow } from "pg";
import {
  type Application,
  type ApplicationStatus,
  type ConsentRecord,
  type Event,
  type EvidenceLeaf,
  type EvidencePending,
  type Message,
  type MessageChannel,
  Prisma,
  type Suppression,
} from "@/prisma/generated/client";
import { type Db, database } from "./client";

/** Statements that Prisma's API cannot express: locks, the database's clock and functions, bulk inserts, indexed expressions. */

/**
 * Sends a statement through the driver, because Prisma's raw call spends almost three times the processor time on it. Only the two
 * statements of nearly every call use this. Each connection prepares the statement under its name.
 */
export async function queryByDriver<Row extends QueryResultRow>(name: string, { text, values }: Prisma.Sql) {
  // Raw: the callers' statements, whose reasons stand there.
  const { rows } = await database().pool.query<Row>({ name, text, values });
  return rows;
}

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

/**
 * Locks applications until the transaction ends. Every transaction that changes an answer of an application, or creates a link
 * or a message for it, locks it first. So it waits for a concurrent erasure, revocation or submission, and then reads the
 * result. Transactions that only record what becomes of a message may do without.
 */
export async function lockApplications(tx: Db, ids: string[]): Promise<void> {
  // Raw: a row lock. One statement locks all rows in the order of their ids, as an erasure does, so the two cannot deadlock.
  await tx.$executeRaw`SELECT FROM applications WHERE id = ANY (${ids}::uuid[]) ORDER BY id FOR NO KEY UPDATE`;
}

/** Locks messages until the transaction ends. The next statement sees what other transactions have changed until then. */
export async function lockMessages(tx: Db, numbers: number[]): Promise<void> {
  // Raw: row locks.
  await tx.$executeRaw`SELECT FROM messages WHERE number = ANY (${numbers}::bigint[]) ORDER BY number FOR NO KEY UPDATE`;
}

async function setLocal(tx: Db, name: string, value: string): Promise<void> {
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
 * Locks mobiles until the transaction ends, in a fixed order, so that two lists cannot deadlock. With `skipLocked`, does not wait
 * for those that another transaction has locked.
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

/** Removes events from the queue of the evidence log. Returns how many, and in order those that have no leaf yet. */
export async function takeQueuedEvents(tx: Db, limit: number) {
  // Raw: a DELETE with a limit that returns what it deletes.
  const queued = await tx.$queryRaw<Pick<EvidencePending, "eventId">[]>`
    DELETE FROM evidence_pending WHERE "eventId" IN (
      SELECT "eventId" FROM evidence_pending ORDER BY "eventId" LIMIT ${limit}::int
    ) RETURNING "eventId"`;
  const events = await tx.event.findMany({
    where: { id: { in: queued.map(({ eventId }) => eventId) }, leaf: null },
    include: { application: { select: { reference: true, consentRecord: { select: { recordHash: true } } } } },
    orderBy: { id: "asc" },
  });
  return { taken: queued.length, events };
}

/** A row in JSON, where times are text. */
export type Json<Row> = { [Column in keyof Row]: Row[Column] extends Date ? string : Row[Column] };

export interface LoggedLeaf extends Json<EvidenceLeaf> {
  event: Json<Event> | null;
  reference: string;
  record: Json<ConsentRecord> | null;
}

/**
 * Reads all leaves in order, in batches, each with its event and, for a submission, its consent record. Needs a transaction. A
 * batch is read while the caller works on the one before.
 */
export async function* readEvidence(tx: Db): AsyncGenerator<LoggedLeaf[]> {
  // The first rows must come at once: sorting millions would exceed the time limit.
  await setLocal(tx, "cursor_tuple_fraction", "0.0001");
  // Raw: a cursor.
  await tx.$executeRaw`
    DECLARE leaves NO SCROLL CURSOR FOR SELECT row_to_json(leaf)::text AS leaf FROM (
      SELECT l.*, e AS event, a.reference, c AS record
      FROM evidence_log l LEFT JOIN events e ON e.id = l."eventId" LEFT JOIN applications a ON a.id = e."applicationId"
      LEFT JOIN consent_records c ON c."applicationId" = a.id AND e.kind = 'submitted'
      ORDER BY l.index
    ) AS leaf`;
  // Raw: each row as one JSON text. Prisma takes ten times as long to read typed rows.
  const fetchBatch = async () => tx.$queryRaw<{ leaf: string }[]>`FETCH 1000 FROM leaves`;
  let next = fetchBatch();
  for (;;) {
    const rows = await next;
    if (rows.length === 0) return;
    next = fetchBatch();
    yield rows.map(({ leaf }) => JSON.parse(leaf));
  }
}

/**
 * Finds events that should have a leaf but have none, unless they are queued and dated between `since` and now, and applications
 * that contradict their evidence. An event and a consent record have the time of the same transaction, which an earlier release cut
 * off to milliseconds in one of them. The events of an application have rising numbers, because each transaction that adds one
 * has locked the application.
 */
export function unloggedEvidence(db: Db, since: Date): Promise<{ reference: string; problem: string }[]> {
  // Raw: rows that have no counterpart in another table. Materialised, so that Postgres looks into the queue only for the few
  // events without a leaf. For all of them, it may read the queue each time, with the dead rows that a burst has left.
  return db.$queryRaw<{ reference: string; problem: string }[]>`
    WITH unlogged AS MATERIALIZED (
      SELECT * FROM events e WHERE kind IN ('submitted', 'status_changed', 'erased', 'link_reissued')
        AND NOT EXISTS (SELECT FROM evidence_log l WHERE l."eventId" = e.id)
    )
    SELECT a.reference, replace(e.kind::text, '_', ' ') || ' has no leaf' AS problem
    FROM unlogged e JOIN applications a ON a.id = e."applicationId"
    WHERE NOT (e.at BETWEEN ${since} AND now() + interval '10 minutes' AND EXISTS (SELECT FROM evidence_pending p WHERE p."eventId" = e.id))
    UNION ALL
    SELECT a.reference, found.problem FROM consent_records c JOIN applications a ON a.id = c."applicationId"
    LEFT JOIN LATERAL (
      SELECT at FROM events e WHERE e."applicationId" = a.id AND kind = 'submitted' ORDER BY id LIMIT 1
    ) AS submitted ON true
    LEFT JOIN LATERAL (
      SELECT replace(split_part(detail, ' ', 1), '-', '_') AS status FROM events e
      WHERE e."applicationId" = a.id AND kind = 'status_changed' ORDER BY id DESC LIMIT 1
    ) AS decision ON true
    CROSS JOIN LATERAL (VALUES
      (submitted.at IS NULL, 'the consent record has no leaf'),
      (a."submittedAt" IS DISTINCT FROM c."consentedAt"
        OR submitted.at NOT BETWEEN c."consentedAt" - interval '1 ms' AND c."consentedAt" + interval '1 ms',
        'the time of the submission is not that of the consent'),
      ((SELECT count(*) FROM events e WHERE e."applicationId" = a.id AND kind = 'submitted') > 1, 'there are several submissions'),
      (a.status::text <> COALESCE(decision.status, 'submitted'), 'the status is not that of the last decision')
    ) AS found (isSo, problem) WHERE found.isSo
    UNION ALL
    SELECT a.reference, 'the time of the erasure is not that of the last one recorded' FROM applications a
    WHERE "erasedAt" IS DISTINCT FROM (
      SELECT at FROM events e WHERE e."applicationId" = a.id AND kind = 'erased' ORDER BY id DESC LIMIT 1)
    UNION ALL
    SELECT a.reference, replace(e.kind::text, '_', ' ') || ' has no link of this application'
    FROM events e JOIN applications a ON a.id = e."applicationId" LEFT JOIN links l ON l.id = e."linkId"
    WHERE e.kind IN ('submitted', 'link_reissued') AND e."linkId" IS NOT NULL AND l."applicationId" IS DISTINCT FROM a.id
    UNION ALL
    SELECT DISTINCT a.reference, 'its leaves and its events are in different orders' FROM (
      SELECT e."applicationId", l.index < lag(l.index) OVER (PARTITION BY e."applicationId" ORDER BY e.id) AS "isMoved"
      FROM evidence_log l JOIN events e ON e.id = l."eventId"
    ) AS leaf JOIN applications a ON a.id = leaf."applicationId" WHERE "isMoved"
    UNION ALL
    SELECT reference, 'there is no consent record' FROM applications a
    WHERE status <> 'draft' AND NOT EXISTS (SELECT FROM consent_records c WHERE c."applicationId" = a.id)`;
}

export async function eraseApplications(db: Db, ids: string[], by: string): Promise<number> {
  // Raw: a SECURITY DEFINER function, because nobody but the owner may change events or consent records.
  const [row] = await db.$queryRaw<[{ erased: number }]>`SELECT erase_applications(${ids}::uuid[], ${by}) AS erased`;
  return row.erased;
}

/** Sets the status of a submitted application, and records who did it and why. */
export async function changeStatus(
  tx: Db,
  id: string,
  { status, by, reason }: { status: ApplicationStatus; by: string; reason: string },
): Promise<void> {
  // Raw: a SECURITY DEFINER function, because operations may not write a status.
  await tx.$queryRaw`SELECT set_application_status(${id}::uuid, ${status}::"ApplicationStatus", ${by}, ${reason})`;
}

/** Corrects the contact of a draft's invitation, and records who did it. Returns false if there is no such draft. */
export async function correctContactOf(
  tx: Db,
  id: string,
  { email = null, mobile = null }: { email?: string | null; mobile?: string | null },
  by: string,
): Promise<boolean> {
  // Raw: a SECURITY DEFINER function, because operations may not write answers.
  const [row] = await tx.$queryRaw<[{ done: boolean }]>`
    SELECT correct_contact(${id}::uuid, ${email}, ${mobile}, ${by}) AS done`;
  return row.done;
}

/** Raw: a bulk insert of rows as one JSON value. For 500 rows, createMany takes ten times as long and half a gigabyte. */
function insertion(table: string, rows: object[]): string {
  const columns = Object.keys(rows[0] ?? {})
    .map(escapeIdentifier)
    .join(", ");
  return `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1::json)`;
}

/** Inserts rows, which must all have the same columns. */
export async function insertAll(tx: Db, table: string, rows: object[]): Promise<void> {
  if (rows.length > 0) await tx.$executeRawUnsafe(insertion(table, rows), JSON.stringify(rows));
}

/** Returns the ids of the rows inserted. Waits for another transaction that is inserting the same row of a list. */
export async function insertApplications(tx: Db, rows: object[]): Promise<Set<string>> {
  const statement = `${insertion("applications", rows)} ON CONFLICT (batch, "rowHash") DO NOTHING RETURNING id`;
  // Raw: a bulk insert that skips existing rows.
  const inserted = await tx.$queryRawUnsafe<Pick<Application, "id">[]>(statement, JSON.stringify(rows));
  return new Set(inserted.map(({ id }) => id));
}

/**
 * Finds the messages to an address that are not sent yet, whatever its letter case. Includes messages on the other channel that are
 * being sent to a person who was invited at this address, because an opt-out applies to both channels.
 */
export function unsentMessagesTo(tx: Db, channel: "email" | "sms", address: string) {
  const invited = Prisma.raw(channel === "email" ? `"invitedEmail"` : `"invitedMobile"`);
  // Raw: a search by an indexed expression. There may be millions of waiting messages.
  return tx.$queryRaw<Pick<Message, "id" | "applicationId">[]>`
    SELECT id, "applicationId" FROM messages
    WHERE state IN ('waiting', 'sending') AND channel = ${channel}::"MessageChannel"
      AND lower(recipient) = lower(${address})
    UNION
    SELECT m.id, m."applicationId" FROM messages m JOIN applications a ON a.id = m."applicationId"
    WHERE m.state = 'sending' AND lower(a.${invited}) = lower(${address})`;
}

export async function knownTokenHashes(db: Db, hashes: Uint8Array<ArrayBuffer>[]): Promise<string[]> {
  // Raw: a SECURITY DEFINER function, because operations may not read hashes.
  const rows = await db.$queryRaw<{ hash: string }[]>`
    SELECT encode(known, 'hex') AS hash FROM known_token_hashes(${hashes}::bytea[]) AS known`;
  return rows.map(({ hash }) => hash);
}

/**
 * How long ago the oldest unsent message was first due; 0 if none is due. Normally that is a few seconds. Each attempt moves
 * `dueAt`, so `dueAt` alone would not show an outage.
 */
export async function oldestDueSeconds(db: Db): Promise<number> {
  // Raw: a search by an indexed expression, which every probe runs.
  const [row] = await db.$queryRaw<[{ seconds: number }]>`
    SELECT COALESCE(extract(epoch FROM now() - min(COALESCE("firstDueAt", "dueAt"))), 0)::float AS seconds FROM messages
    WHERE state IN ('waiting', 'sending') AND COALESCE("firstDueAt", "dueAt") <= now()`;
  return Math.round(row.seconds);
}

/** The key of a suppression (outbox/reachability.ts) of a column of applications `a`. */
export function addressHashOf(channel: string, column: keyof Application): Prisma.Sql {
  return Prisma.raw(`encode(sha256(convert_to('${channel}:' || lower(a."${column}"), 'UTF8')), 'hex')`);
}

/**
 * All suppressions, newest first, with the references of the applications that still have the address, because only its hash is
 * stored.
 */
export function listSuppressions(db: Db) {
  const hashes = (channel: MessageChannel, column: keyof Application) => Prisma.sql`
    SELECT ${addressHashOf(channel, column)} AS hash, a.reference FROM applications a WHERE ${Prisma.raw(`a."${column}"`)} <> ''`;
  const addresses = [
    hashes("email", "invitedEmail"),
    hashes("email", "email"),
    hashes("sms", "invitedMobile"),
    hashes("sms", "mobile"),
  ];
  // Raw: a join by an expression, which finds the addresses of all applications in one reading.
  return db.$queryRaw<(Pick<Suppression, "createdAt" | "channel" | "reason" | "by"> & { references: string[] })[]>`
    SELECT s."createdAt", s.channel, s.reason, s.by,
      array_remove(array_agg(DISTINCT a.reference ORDER BY a.reference), NULL) AS references
    FROM suppressions s LEFT JOIN (${Prisma.join(addresses, " UNION ALL ")}) a ON a.hash = s."addressHash"
    GROUP BY s.id ORDER BY s."createdAt" DESC, s.id`;
}
