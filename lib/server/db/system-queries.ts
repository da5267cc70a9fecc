import { randomUUID } from "node:crypto";
import { type ClientBase, escapeIdentifier, escapeLiteral } from "pg";
import { database } from "./client";
import { migrationNames, rolesSql } from "./files";

// Raw throughout: queries of Postgres's catalogue, scripts that change the schema or the roles, and the SQL of Studio's page.

export async function pendingOn(client: ClientBase, migrations = migrationNames()): Promise<string[]> {
  const finished = await client
    .query("SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL")
    .catch((error: { code?: string }) => {
      // SQLSTATE undefined_table: no migration has ever been applied.
      if (error.code === "42P01") return { rows: [] };
      throw error;
    });
  const names = new Set(finished.rows.map((row) => row.migration_name));
  return migrations.filter((name) => !names.has(name));
}

/** Creates the table as Prisma does, so that Prisma's own tools know which migrations have been applied. */
export const createMigrationsTable = (client: ClientBase) =>
  client.query(`
  CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id varchar(36) PRIMARY KEY NOT NULL,
    checksum varchar(64) NOT NULL,
    finished_at timestamptz,
    migration_name varchar(255) NOT NULL,
    logs text,
    rolled_back_at timestamptz,
    started_at timestamptz NOT NULL DEFAULT now(),
    applied_steps_count integer NOT NULL DEFAULT 0
  )`);

export const recordOf = (name: string, checksum: string) => `
  INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
  VALUES (gen_random_uuid(), ${escapeLiteral(checksum)}, ${escapeLiteral(name)}, clock_timestamp(), 1)`;

/** An arbitrary number that no other advisory lock uses. */
export const schemaLock = 7_214_530_961;

/** Serialises changes of tables and privileges by a session lock, which is released when the connection closes. */
export async function lockSchema(client: ClientBase): Promise<void> {
  if ((await factsOf(client)).isPooled)
    throw new Error("A connection pooler does not keep locks. Give this command the database's own address.");
  await client.query("SELECT pg_advisory_lock($1)", [schemaLock]);
}

/** Postgres runs statements that are sent together in one transaction. */
export const runScript = (client: ClientBase, script: string) => client.query(script);

/** A script that fails if it waits longer than a fifth of a second for a lock. */
export const withLockLimit = (script: string) => `SET LOCAL lock_timeout = '200ms';${script}`;

/** A script in which names without a schema belong to this one. */
export const inSchema = (schema: string, script: string) =>
  `SET LOCAL search_path = ${escapeIdentifier(schema)};\n${script}`;

/** `verifier` is what PostgreSQL stores in place of a password. */
export const passwordStatement = (role: string, verifier: string) =>
  `ALTER ROLE ${escapeIdentifier(role)} PASSWORD ${escapeLiteral(verifier)};`;

/** What roles.sql lists as the app's privileges, which its calls and its worker need, as [table, privilege]. */
function privilegesOfApp(): [string, string][] {
  const listed = rolesSql().matchAll(/^ +\('(\w+)', '([^']*)', (?:true|false)\)/gm);
  return [...listed].flatMap(([, table = "", privileges = ""]) =>
    (privileges.match(/[A-Z]{4,}/g) ?? []).map((privilege): [string, string] => [table, privilege]),
  );
}

/** The tables and privileges that the app needs and this user lacks: 'table events', 'INSERT on events', 'USAGE on events_id_seq'. */
export async function missingPrivileges(client: ClientBase): Promise<string[]> {
  const needed = privilegesOfApp();
  const { rows } = await client.query(
    `SELECT DISTINCT CASE WHEN found IS NULL THEN 'table ' || name ELSE "right" || ' on ' || name END AS missing
    FROM unnest($1::text[], $2::text[]) AS needed (name, "right"), to_regclass(quote_ident(name)) AS found
    -- The app has some privileges only on single columns of a table. DELETE exists only for a whole table.
    WHERE CASE "right" WHEN 'DELETE' THEN has_table_privilege(found, "right")
      ELSE has_any_column_privilege(found, "right") END IS NOT TRUE
    -- An INSERT takes its number from the sequence that belongs to the table. Either privilege suffices for nextval.
    UNION SELECT 'USAGE on ' || s.relname FROM unnest($1::text[], $2::text[]) AS needed (name, "right")
      JOIN pg_depend d ON d.refobjid = to_regclass(quote_ident(name)) AND d.deptype IN ('a', 'i')
      JOIN pg_class s ON s.oid = d.objid
      WHERE "right" = 'INSERT' AND CASE s.relkind WHEN 'S' THEN NOT has_sequence_privilege(s.oid, 'USAGE, UPDATE') END
    ORDER BY 1`,
    [needed.map(([table]) => table), needed.map(([, right]) => right)],
  );
  return rows.map(({ missing }) => missing as string);
}

/**
 * Privileges that a role must not have: on these tables (null: every table and view) and on columns of them, SELECT on the
 * tables in `unreadable`, and EXECUTE on these SECURITY DEFINER functions (null: any).
 */
const forbidden = {
  app: {
    tables: ["consent_records", "events", "evidence_log"],
    privileges: "UPDATE, DELETE, TRUNCATE, TRIGGER",
    columns: "UPDATE",
    unreadable: [] as string[],
    functions: ["erase_applications", "set_application_status", "correct_contact", "known_token_hashes"],
  },
  reader: {
    tables: null,
    privileges: "INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER",
    columns: "INSERT, UPDATE, REFERENCES",
    unreadable: ["link_tokens", "fresh_link_requests"],
    functions: null,
  },
};

/** Checks the session user and every role that it is a member of, because it can assume those roles with SET ROLE. */
const findExcess = `
  WITH mine AS (SELECT * FROM pg_roles WHERE pg_has_role(session_user, oid, 'MEMBER')),
  ours AS (SELECT * FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'v'))
  SELECT 'is a superuser' AS reason FROM mine WHERE rolsuper
  UNION SELECT 'can create roles' FROM mine WHERE rolcreaterole
  UNION SELECT 'can replicate, or bypass row-level security' FROM mine WHERE rolreplication OR rolbypassrls
  UNION SELECT 'is a member of ' || rolname FROM mine WHERE starts_with(rolname, 'pg_')
  UNION SELECT 'owns tables' FROM mine JOIN ours ON relowner = mine.oid
  UNION SELECT 'owns the database' FROM mine JOIN pg_database ON datdba = mine.oid AND datname = current_database()
  UNION SELECT 'can create tables' FROM mine WHERE has_schema_privilege(mine.oid, current_schema()::text, 'CREATE')
  UNION SELECT 'can change ' || relname FROM mine, ours
    -- Every role records its reads in data_reads, whose rows can never be changed.
    WHERE ($1::text[] IS NULL OR relname = ANY ($1)) AND relname <> 'data_reads'
      AND (has_table_privilege(mine.oid, ours.oid, $2) OR has_any_column_privilege(mine.oid, ours.oid, $3))
  UNION SELECT 'can read ' || relname FROM mine, ours
    WHERE relname = ANY ($4) AND has_any_column_privilege(mine.oid, ours.oid, 'SELECT')
  UNION SELECT 'can call ' || proname FROM mine, pg_proc
    WHERE prosecdef AND pronamespace = current_schema()::regnamespace
      AND ($5::text[] IS NULL OR proname = ANY ($5)) AND has_function_privilege(mine.oid, pg_proc.oid, 'EXECUTE')
  ORDER BY 1`;

/** Describes what the session user may do beyond the privileges of its role; empty if there is nothing. */
export async function excessPrivileges(client: ClientBase, kind: keyof typeof forbidden): Promise<string[]> {
  const { tables, privileges, columns, unreadable, functions } = forbidden[kind];
  const { rows } = await client.query(findExcess, [tables, privileges, columns, unreadable, functions]);
  const reasons = rows.map(({ reason }) => reason as string);
  // A superuser has every privilege, so the other reasons add nothing.
  return reasons.includes("is a superuser") ? ["is a superuser"] : reasons;
}

/**
 * Tests whether the database accepts writes. On a full disk, small writes still succeed in pages that have room, so this also
 * needs space for a temporary file, which is deleted after the statement. The inserted row is rolled back.
 */
const writeProbe = () => `
  BEGIN;
  SET LOCAL work_mem = '64kB';
  SELECT count(*) FROM generate_series(1, 5000);
  INSERT INTO rate_limits (key) VALUES ('ready:${randomUUID()}');
  ROLLBACK`;

/** Whether a commit of this session is acknowledged only after a standby has it. */
export async function commitsWaitForStandby(client: Pick<ClientBase, "query"> = database().pool): Promise<boolean> {
  const { rows } = await client.query(`
    SELECT current_setting('synchronous_standby_names') <> ''
      AND current_setting('synchronous_commit') NOT IN ('off', 'local') AS waits`);
  return rows[0].waits;
}

/**
 * Whether the standby that commits wait for is gone: a commit of this user has been hanging for a second. If none has, this
 * commits a message of its own. If the standby is gone, that commit hangs: no statement_timeout ends it, the driver gives up
 * after its own limit, and the next check finds the commit hanging.
 */
async function isStandbyGone(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query(`
    SELECT EXISTS (
      SELECT FROM pg_stat_activity
      WHERE usename = current_user AND wait_event = 'SyncRep' AND state_change < now() - interval '1 second') AS hangs`);
  if (!rows[0].hangs) await client.query("SELECT pg_logical_emit_message(true, 'ready', '')");
  return rows[0].hangs;
}

/** What the desk fails without: migrations and the privileges of operations. Throws if the database is down. */
export async function missingForDesk(): Promise<string[]> {
  const client = await database().pool.connect();
  try {
    const pending = await pendingOn(client);
    if (pending.length > 0) return pending.map((name) => `migration ${name}`);
    const { rows } = await client.query(`SELECT has_table_privilege('desk_sessions', 'DELETE') AS "isGranted"`);
    return rows[0].isGranted ? [] : ["the privileges of operations (npm run roles)"];
  } finally {
    client.release();
  }
}

/** What calls fail without: tables, privileges, migrations, the standby. Throws if the database is down or accepts no writes. */
export async function missingForCalls(): Promise<string[]> {
  const client = await database().pool.connect();
  let failure: Error | undefined;
  try {
    const missing = await missingPrivileges(client);
    if (missing.length > 0) return missing;
    const pending = await pendingOn(client);
    if (pending.length > 0) return pending.map((name) => `migration ${name}`);
    await client.query(writeProbe());
    const isGone = (await commitsWaitForStandby(client)) && (await isStandbyGone(client));
    return isGone ? ["the standby that commits wait for"] : [];
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    // After an error, this closes the connection, which ends its transaction.
    client.release(failure);
  }
}

export interface DatabaseFacts {
  version: string;
  /** 140005 for 14.5. */
  versionNumber: number;
  encoding: string;
  /** The session's process id in Postgres. A pooler reports another one to its client. */
  session: number;
  /** '0' if the role has no statement time limit. */
  statementTimeout: string;
  timeZone: string;
  dateStyle: string;
  /** The schema of the app's tables if this user's statements do not find it; otherwise null. */
  hiddenSchema: string | null;
  isPooled: boolean;
}

/** Reads all facts in one statement, because each statement is another round trip before the first request. */
export async function factsOf(client: ClientBase): Promise<DatabaseFacts> {
  const { rows } = await client.query(`
    SELECT current_setting('server_version_num')::int AS "versionNumber", current_setting('server_version') AS version,
      current_setting('server_encoding') AS encoding, pg_backend_pid() AS session,
      current_setting('statement_timeout') AS "statementTimeout",
      current_setting('TimeZone') AS "timeZone", current_setting('DateStyle') AS "dateStyle",
      (SELECT relnamespace::regnamespace::text FROM pg_class
        WHERE relname = '_prisma_migrations' AND relkind = 'r' AND to_regclass('_prisma_migrations') IS NULL
        LIMIT 1) AS "hiddenSchema"`);
  const [facts] = rows;
  return { ...facts, isPooled: facts.session !== (client as ClientBase & { processID: number | null }).processID };
}

/** Whether a prepared statement has the name that this client gave it. A pooler that shares statements renames them. */
export async function keepsStatementName(client: ClientBase): Promise<boolean> {
  const name = "rent_advance_kept";
  const { rows } = await client.query({ name, text: "SELECT name FROM pg_prepared_statements" });
  return rows.some((row) => row.name === name);
}

export async function currentSchema(client: ClientBase): Promise<{ database: string; schema: string }> {
  const { rows } = await client.query("SELECT current_database() AS database, current_schema() AS schema");
  return rows[0];
}

/** For each kind, the role of this database: whether it exists, and whether it may read applications. */
export async function findRoles<Kind extends string>(client: ClientBase, kinds: readonly Kind[]) {
  const { rows } = await client.query<{ kind: Kind; name: string; exists: boolean; mayRead: boolean }>(
    `SELECT kind, name, oid IS NOT NULL AS exists,
      COALESCE(has_table_privilege(oid, to_regclass('applications'), 'SELECT'), false) AS "mayRead"
    FROM unnest($1::text[]) WITH ORDINALITY AS given (kind, n), concat(current_database(), '_', kind) AS name
      LEFT JOIN pg_roles ON rolname = name ORDER BY n`,
    [kinds],
  );
  return rows;
}

/**
 * Runs one statement that Studio's page has written, in a READ ONLY transaction, and returns its rows. The extended protocol
 * refuses several statements at once, so a COMMIT can be followed by nothing. Changes settings of the session.
 */
export async function runStudioQuery(
  client: ClientBase,
  query: { sql: string; parameters: unknown[] },
  timeZone: string,
) {
  await client.query(`SET statement_timeout = '5s'; SET TimeZone = ${escapeLiteral(timeZone)}`);
  await client.query("BEGIN READ ONLY");
  const statement = { text: query.sql, values: query.parameters, queryMode: "extended" };
  return (await client.query(statement)).rows;
}
