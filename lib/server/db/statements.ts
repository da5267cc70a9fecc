import "server-only";
import { hash } from "node:crypto";
import { escapeIdentifier } from "pg";
import { invitableAnswers, savedAnswers } from "@/lib/domain/application";
import {
  type Application,
  type ApplicationStatus,
  type ConsentRecord,
  type Event,
  type EvidenceLeaf,
  Prisma,
} from "@/prisma/generated/client";
import { invitedColumn } from "./application-row";
import type { Db } from "./client";

/** Statements that Prisma's calls cannot say: row locks, the database's clock, and functions of the database. */

/** By the clock that links are checked with: this machine's own may be wrong, and its links would be expired when issued. */
export async function databaseNow(db: Db): Promise<Date> {
  // Raw: the database's clock.
  const [row] = await db.$queryRaw<{ now: Date }[]>`SELECT now() AS now`;
  if (!row) throw new Error("The database has no time.");
  return row.now;
}

/** The same clock as it is by now, and not as the transaction began: it may have waited. */
export async function databaseClock(tx: Db): Promise<Date> {
  // Raw: the database's clock. The simulation moves now() alone.
  const [row] = await tx.$queryRaw<
    { now: Date }[]
  >`SELECT now() + (clock_timestamp() - transaction_timestamp()) AS now`;
  if (!row) throw new Error("The database has no time.");
  return row.now;
}

/**
 * Locks applications until the transaction ends. Whatever writes an answer, a link or a message of an application locks it
 * first, so that it waits for an erasure, a revocation or a submission that is under way, and then reads what that left.
 */
export async function lockApplications(tx: Db, ids: string[]): Promise<void> {
  // Raw: a row lock. All at once and by id, as an erasure locks them: otherwise the two could wait for each other.
  await tx.$executeRaw`SELECT FROM applications WHERE id = ANY (${ids}::uuid[]) ORDER BY id FOR NO KEY UPDATE`;
}

/** The first of the two keys of these advisory locks, an arbitrary number; the second is a hash of the mobile. */
const mobileLocks = 1_893_774;
/** Hashes: of a list of any length, Postgres has room for so many locks. */
const mostMobileLocks = 1024;

/** A command prints its links before they are committed: if nobody reads them for so long, its transaction ends. */
const mostUnreadMs = 30_000;

/** Locks mobiles until the transaction ends, in one order, so that two lists do not wait for each other. */
export async function lockMobiles(tx: Db, mobiles: string[]): Promise<void> {
  // Raw: advisory locks.
  await tx.$executeRaw`
    WITH keys AS MATERIALIZED (
      SELECT DISTINCT hashtext(mobile) & ${mostMobileLocks - 1}::int AS key FROM unnest(${mobiles}::text[]) AS mobile ORDER BY key
    ) SELECT pg_advisory_xact_lock(${mobileLocks}::int, key) FROM keys`;
  // Raw: a setting of the transaction.
  await tx.$executeRaw`SELECT set_config('idle_in_transaction_session_timeout', ${String(mostUnreadMs)}, true)`;
}

/** Keeps an erasure out until the transaction ends, and no save. */
export async function lockAgainstErasure(tx: Db, id: string | null): Promise<void> {
  // Raw: a row lock.
  await tx.$executeRaw`SELECT FROM applications WHERE id = ${id}::uuid FOR KEY SHARE`;
}

/** Of a transaction of the worker or of the figures: longer than the limit of the role, which is for calls. */
export async function limitWorkerTransaction(tx: Db, milliseconds: number): Promise<void> {
  // Raw: a setting of the transaction.
  await tx.$executeRaw`SELECT set_config('statement_timeout', ${String(milliseconds)}, true)`;
}

/** No save waits for the disk on account of this transaction. A crash of Postgres may lose it, and nothing else. */
export async function commitWithoutWaiting(tx: Db): Promise<void> {
  // Raw: a setting of the transaction.
  await tx.$executeRaw`SELECT set_config('synchronous_commit', 'off', true)`;
}

/** An arbitrary number that no other advisory lock uses. */
const evidenceLock = 7_214_530_964;

/** A worker that is suspended with the lock loses it after so long, with its transaction. */
const mostIdleMs = 10_000;

/** Of those who append to the evidence log, one at a time. Returns the time after the wait. */
export async function lockEvidenceLog(tx: Db): Promise<Date> {
  // Raw: an advisory lock, a setting of the transaction, and the database's clock.
  const [row] = await tx.$queryRaw<{ now: Date }[]>`
    SELECT clock_timestamp() AS now, set_config('idle_in_transaction_session_timeout', ${String(mostIdleMs)}, true)
    FROM pg_advisory_xact_lock(${evidenceLock}::bigint)`;
  if (!row) throw new Error("The database has no time.");
  return row.now;
}

export interface LoggedEvent extends Event {
  reference: string;
  /** That of the application's consent, once it has submitted. */
  recordHash: string | null;
}

/** Takes events off the queue of the evidence log, in their order, but for those that have their leaf. */
export async function takeQueuedEvents(tx: Db, most: number): Promise<LoggedEvent[]> {
  // Raw: a DELETE with a limit that returns what it deletes.
  const queued = await tx.$queryRaw<{ eventId: bigint }[]>`
    DELETE FROM evidence_pending WHERE "eventId" IN (
      SELECT "eventId" FROM evidence_pending ORDER BY "eventId" LIMIT ${most}::int
    ) RETURNING "eventId"`;
  const ids = queued.map(({ eventId }) => eventId);
  const found = await tx.event.findMany({
    where: { id: { in: ids }, leaf: null },
    include: { application: { select: { reference: true, consentRecord: { select: { recordHash: true } } } } },
    orderBy: { id: "asc" },
  });
  return found.map(({ application, ...event }) => {
    const { reference, consentRecord } = application;
    return { ...event, reference, recordHash: consentRecord?.recordHash ?? null };
  });
}

/** A row as JSON has it: with numbers, and times as text. */
type Json<Row> = { [Column in keyof Row]: Row[Column] extends Date ? string : Row[Column] };

/** `textHash` stands for the text, which many records share: its SHA-256 as Postgres has just computed it. */
type SharedRecord = Json<Omit<ConsentRecord, "id" | "document">> & { textHash: string };

export interface LoggedLeaf extends Json<EvidenceLeaf> {
  event: Json<Event> | null;
  /** That of the event's application. */
  reference: string;
  /** Of a submission. */
  record: SharedRecord | null;
}

/** Leaves in their order, each with what it is the leaf of. */
export async function readEvidence(db: Db, from: number, most: number): Promise<LoggedLeaf[]> {
  // Raw: all rows as one JSON text. Prisma takes ten times as long to read so many.
  const [read] = await db.$queryRaw<{ rows: string }[]>`
    SELECT COALESCE(json_agg(found), '[]')::text AS rows FROM (
      SELECT l.*, to_json(e) AS event, a.reference, CASE WHEN c.id IS NOT NULL THEN json_build_object(
        'applicationId', c."applicationId", 'recordHash', c."recordHash", 'version', c.version,
        'textHash', encode(sha256(convert_to(c.document, 'UTF8')), 'hex'), 'documentHash', c."documentHash",
        'answers', c.answers, 'answersHash', c."answersHash", 'reviewed', c.reviewed, 'authoriseAgent', c."authoriseAgent",
        'provideSelf', c."provideSelf", 'confirmLoan', c."confirmLoan", 'consentedAt', c."consentedAt",
        'address', c.address, 'userAgent', c."userAgent", 'linkId', c."linkId", 'salt', c.salt) END AS record
      FROM evidence_log l LEFT JOIN events e ON e.id = l."eventId" LEFT JOIN applications a ON a.id = e."applicationId"
      LEFT JOIN consent_records c ON c."applicationId" = a.id AND e.kind = 'submitted'
      WHERE l.index >= ${from}::bigint ORDER BY l.index LIMIT ${most}::int
    ) AS found`;
  return JSON.parse(read?.rows ?? "[]");
}

/** Each text that somebody has consented to, once, by its SHA-256. */
export async function readConsentTexts(db: Db): Promise<Map<string, string>> {
  // Raw: Prisma reads every row to find the distinct ones.
  const texts = await db.$queryRaw<{ document: string }[]>`SELECT DISTINCT document FROM consent_records`;
  return new Map(texts.map(({ document }) => [hash("sha256", document), document]));
}

/**
 * What should have a leaf and neither has one nor waits for it, and what an application says without evidence, by reference. An
 * event takes its time from the same transaction as the record, rounded instead of cut to milliseconds.
 */
export function unloggedEvidence(db: Db): Promise<{ reference: string; problem: string }[]> {
  // Raw: what has no counterpart in another table.
  return db.$queryRaw<{ reference: string; problem: string }[]>`
    SELECT a.reference, replace(e.kind::text, '_', ' ') || ' has no leaf' AS problem
    FROM events e JOIN applications a ON a.id = e."applicationId"
    WHERE e.kind IN ('submitted', 'status_changed', 'erased', 'link_reissued')
      AND NOT EXISTS (SELECT FROM evidence_log l WHERE l."eventId" = e.id)
      AND NOT EXISTS (SELECT FROM evidence_pending p WHERE p."eventId" = e.id)
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
        OR abs(extract(epoch FROM submitted.at - c."consentedAt")) > 0.001,
        'the time of the submission is not that of the consent'),
      (a.status::text <> COALESCE(decision.status, 'submitted'), 'the status is not that of the last decision')
    ) AS found (isSo, problem) WHERE found.isSo`;
}

/** Erases the personal data of applications and revokes their links. Returns how many there were. */
export async function eraseApplications(db: Db, ids: string[], by: string): Promise<number> {
  // Raw: a SECURITY DEFINER function, because nobody but the owner may change events or consent records.
  const rows = await db.$queryRaw<{ erased: number }[]>`SELECT erase_applications(${ids}::uuid[], ${by}) AS erased`;
  return rows[0]?.erased ?? 0;
}

export interface Retention {
  status: ApplicationStatus;
  months: number;
  by: string;
  /** From one id to the next, so that no row is read twice. */
  after: string;
  most: number;
}

/** What an erasure sets to '' or null: the answers but for the source, and the invitation's. */
const erasedColumns = [...savedAnswers.filter((name) => name !== "source"), ...invitableAnswers.map(invitedColumn)];
const anyAnswer = Prisma.raw(`concat(${erasedColumns.map((name) => `a."${name}"`).join(", ")}) <> ''`);

/**
 * Erases some applications of a status that were not changed for so long. Locks the rows, and Postgres checks them again if
 * somebody has just changed them. What was erased before is found if anything has happened since, or if an answer or a
 * recipient is there.
 */
export async function eraseSomeOld(db: Db, { status, months, by, after, most }: Retention) {
  // Raw: a search by expression that locks what it finds, and a SECURITY DEFINER function.
  const [batch] = await db.$queryRaw<{ count: number; last: string }[]>`
    WITH old AS MATERIALIZED (
      SELECT a.id FROM applications AS a
      WHERE a.status = ${status}::"ApplicationStatus" AND a."updatedAt" < now() - make_interval(months => ${months}::int)
        AND a.id > ${after}::uuid
        AND (${anyAnswer}
          OR a."erasedAt" IS NULL
          OR EXISTS (SELECT FROM events AS e WHERE e."applicationId" = a.id
            AND e.id > (SELECT max(id) FROM events WHERE "applicationId" = a.id AND kind = 'erased'))
          OR EXISTS (SELECT FROM messages AS m JOIN events AS e ON e."applicationId" = a.id AND e.kind = 'erased'
            WHERE m."applicationId" = a.id AND m.recipient <> ''))
      ORDER BY a.id LIMIT ${most}::int FOR UPDATE
    )
    SELECT erase_applications(array_agg(id), ${by}) AS count, max(id::text) AS last FROM old HAVING count(*) > 0`;
  return batch;
}

export interface StatusChange {
  status: ApplicationStatus;
  by: string;
  reason: string;
}

/** Sets the status of a submitted application, and notes who did it and why. Returns the status before. */
export async function changeStatus(
  tx: Db,
  id: string,
  { status, by, reason }: StatusChange,
): Promise<ApplicationStatus> {
  // Raw: a SECURITY DEFINER function, because operations may not write a status.
  const [row] = await tx.$queryRaw<{ before: ApplicationStatus }[]>`
    SELECT set_application_status(${id}::uuid, ${status}::"ApplicationStatus", ${by}, ${reason}) AS before`;
  if (!row) throw new Error("The application is gone");
  return row.before;
}

/** Corrects the contact of a draft's invitation, and notes who did it. False where there is no such draft. */
export async function correctContactOf(
  tx: Db,
  id: string,
  { email = null, mobile = null }: { email?: string | null | undefined; mobile?: string | null | undefined },
  by: string,
): Promise<boolean> {
  // Raw: a SECURITY DEFINER function, because operations may not write answers.
  const [row] = await tx.$queryRaw<{ done: boolean }[]>`
    SELECT correct_contact(${id}::uuid, ${email}, ${mobile}, ${by}) AS done`;
  return row?.done ?? false;
}

/** Raw: a bulk insert, of rows as one JSON value. Prisma's createMany takes ten times the time, and half a gigabyte, for 500 rows. */
function insertion(table: string, rows: object[]): string {
  const columns = Object.keys(rows[0] ?? {})
    .map(escapeIdentifier)
    .join(", ");
  return `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1::json)`;
}

/** Inserts rows, all with the same columns. */
export async function insertAll(tx: Db, table: string, rows: object[]): Promise<void> {
  if (rows.length > 0) await tx.$executeRawUnsafe(insertion(table, rows), JSON.stringify(rows));
}

/** Returns the ids of those that are new. A row of a list that another transaction is inserting is waited for. */
export async function insertApplications(tx: Db, rows: object[]): Promise<Set<string>> {
  const statement = `${insertion("applications", rows)} ON CONFLICT (batch, "rowHash") DO NOTHING RETURNING id`;
  // Raw: a bulk insert that leaves out what is there already.
  const inserted = await tx.$queryRawUnsafe<Pick<Application, "id">[]>(statement, JSON.stringify(rows));
  return new Set(inserted.map(({ id }) => id));
}

/** Which of these hashes belong to a link, in hexadecimal digits. */
export async function knownTokenHashes(db: Db, hashes: Uint8Array<ArrayBuffer>[]): Promise<string[]> {
  // Raw: a SECURITY DEFINER function, because operations may not read hashes.
  const rows = await db.$queryRaw<{ hash: string }[]>`
    SELECT encode(known, 'hex') AS hash FROM known_token_hashes(${hashes}::bytea[]) AS known`;
  return rows.map(({ hash }) => hash);
}

/**
 * How long ago the oldest message that is not sent was first due; 0 if none is. Sent in time, that is a few seconds. Each
 * attempt moves `dueAt`, so that alone would show no outage.
 */
export async function oldestDueSeconds(db: Db): Promise<number> {
  // Raw: a search by expression, which has an index, asked by every probe.
  const [row] = await db.$queryRaw<{ seconds: number }[]>`
    SELECT COALESCE(extract(epoch FROM now() - min(COALESCE("firstDueAt", "dueAt"))), 0)::float AS seconds FROM messages
    WHERE state IN ('waiting', 'sending') AND COALESCE("firstDueAt", "dueAt") <= now()`;
  return Math.round(row?.seconds ?? 0);
}
