import "server-only";
import type { Client } from "pg";
import type { RoleKind } from "./names";
import { operationsFunctions } from "./rights";

/**
 * Rights that a role must not have: on which tables (null: every table and view), also on columns of them, which tables it
 * must not read, and which functions that run as their owner it must not call (null: any).
 */
const tooMuch = {
  app: {
    tables: ["consent_records", "events"],
    rights: "UPDATE, DELETE, TRUNCATE, TRIGGER",
    columns: "UPDATE",
    unread: [],
    functions: operationsFunctions.map((signature) => signature.split("(", 1)[0]),
  },
  reader: {
    tables: null,
    rights: "INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER",
    columns: "INSERT, UPDATE, REFERENCES",
    unread: ["link_tokens"],
    functions: null,
  },
} satisfies Partial<Record<RoleKind, unknown>>;

/** Looks at the session user and every role it is a member of, since it can become those with SET ROLE. */
const find = `
  WITH mine AS (SELECT * FROM pg_roles WHERE pg_has_role(session_user, oid, 'MEMBER')),
  ours AS (SELECT * FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'v'))
  SELECT 'is a superuser' AS reason FROM mine WHERE rolsuper
  UNION SELECT 'can make roles' FROM mine WHERE rolcreaterole
  UNION SELECT 'can replicate, or passes row security' FROM mine WHERE rolreplication OR rolbypassrls
  UNION SELECT 'is a member of ' || rolname FROM mine WHERE starts_with(rolname, 'pg_')
  UNION SELECT 'owns tables' FROM mine JOIN ours ON relowner = mine.oid
  UNION SELECT 'owns the database' FROM mine JOIN pg_database ON datdba = mine.oid AND datname = current_database()
  UNION SELECT 'can create tables' FROM mine WHERE has_schema_privilege(mine.oid, current_schema()::text, 'CREATE')
  UNION SELECT 'can change ' || relname FROM mine, ours
    WHERE ($1::text[] IS NULL OR relname = ANY ($1))
      AND (has_table_privilege(mine.oid, ours.oid, $2) OR has_any_column_privilege(mine.oid, ours.oid, $3))
  UNION SELECT 'can read ' || relname FROM mine, ours
    WHERE relname = ANY ($4) AND has_any_column_privilege(mine.oid, ours.oid, 'SELECT')
  UNION SELECT 'can call ' || proname FROM mine, pg_proc
    WHERE prosecdef AND pronamespace = current_schema()::regnamespace
      AND ($5::text[] IS NULL OR proname = ANY ($5)) AND has_function_privilege(mine.oid, pg_proc.oid, 'EXECUTE')
  ORDER BY 1`;

/** What the session user may do beyond its identity, in words; empty if nothing. */
export async function excessOf(client: Client, kind: keyof typeof tooMuch): Promise<string[]> {
  const { tables, rights, columns, unread, functions: uncalled } = tooMuch[kind];
  const { rows } = await client.query(find, [tables, rights, columns, unread, uncalled]);
  const reasons = rows.map(({ reason }) => reason as string);
  // A superuser has every right, so the rest of the list says nothing.
  return reasons.includes("is a superuser") ? ["is a superuser"] : reasons;
}
