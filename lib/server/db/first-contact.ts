import "server-only";
import type { Client } from "pg";
import { Unusable, whyUnreachable } from "./cause";
import { withConnection } from "./connection";
import { pendingOn } from "./migrations/pending";
import { isPooledSession, sessionOf } from "./pooled";

interface Contact {
  /** The migrations that the database lacks, oldest first. */
  pending: string[];
  isPooled: boolean;
}

/** A pooler lets a client in while Postgres is away, and then keeps its statement waiting. */
const limits = { connectionTimeoutMillis: 5000, query_timeout: 5000 };

/** Looks at a database before it is used. Throws Unusable with the cause where it cannot be. */
export async function meetDatabase<T = undefined>(
  url: string,
  also?: (client: Client) => Promise<T>,
): Promise<Contact & { also: T | undefined }> {
  try {
    return await withConnection(
      url,
      async (client) => {
        const seen = await lookAt(client);
        requireVersion(seen);
        const pooled = isPooledSession(client, seen.session);
        if (pooled) await requirePreparedStatements(client, url);
        requireVisibleTables(seen);
        const pending = await pendingOn(client);
        return { pending, isPooled: pooled, also: pending.length === 0 ? await also?.(client) : undefined };
      },
      limits,
    );
  } catch (error) {
    throw whyUnreachable(error as Error, url);
  }
}

interface Seen {
  number: number;
  version: string;
  encoding: string;
  session: number;
  /** The schema of tables that are passed over. */
  hidden: string | null;
}

/** In one statement: each would be a round trip, before the first request. */
async function lookAt(client: Client): Promise<Seen> {
  const { rows } = await client.query(`
    SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version,
      current_setting('server_encoding') AS encoding, pg_backend_pid() AS session,
      (SELECT relnamespace::regnamespace::text FROM pg_class
        WHERE relname = '_prisma_migrations' AND relkind = 'r' AND to_regclass('_prisma_migrations') IS NULL
        LIMIT 1) AS hidden`);
  return rows[0];
}

function requireVersion({ number, version, encoding }: Seen): void {
  if (number < 140_000) throw new Unusable(`The database is PostgreSQL ${version}; 14 is the least that works.`);
  if (encoding !== "UTF8") throw new Unusable(`The database's encoding is ${encoding}; it has to be UTF8.`);
}

/** Postgres passes over a schema that the user may not enter, or whose name is not in its search_path, without an error. */
function requireVisibleTables({ hidden }: Seen): void {
  if (hidden === null) return;
  throw new Unusable(
    `The database's tables are in the schema ${hidden}, which its user does not see: GRANT USAGE ON SCHEMA, or ALTER ROLE … SET search_path.`,
  );
}

/**
 * The app names its statements, so that each is parsed once. A pooler that can keep them gives them names of its own; one
 * that cannot passes them on, and the next transaction of the client, in another session, does not find them.
 */
async function requirePreparedStatements(client: Client, url: string): Promise<void> {
  const name = "rent_advance_kept";
  const { rows } = await client.query({ name, text: "SELECT name FROM pg_prepared_statements" });
  if (!rows.some((row) => row.name === name)) return;
  const isShared = (await sessionOf(client)) === (await withConnection(url, sessionOf, limits));
  if (!isShared) return;
  throw new Unusable(
    "The pooler in front of the database keeps no prepared statements: it has to be PgBouncer 1.21 or later with max_prepared_statements above 0, or pool by session.",
  );
}
