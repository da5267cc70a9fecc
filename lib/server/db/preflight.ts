import type { Client } from "pg";
import { markDatabasePooled } from "./client";
import { withConnection } from "./connection";
import { DatabaseUnusable, explain } from "./errors";
import {
  commitsWaitForStandby,
  type DatabaseFacts,
  factsOf,
  keepsStatementName,
  missingPrivileges,
  pendingOn,
} from "./system-queries";

/** While Postgres is down, a pooler still accepts connections but lets their statements wait, so both have a limit. */
const limits = { connectionTimeoutMillis: 5000, query_timeout: 5000 };

/**
 * Checks the database of this process before its first use. Throws DatabaseUnusable or DatabaseUnavailable. Returns the
 * migrations that it lacks, oldest first, and what the app needs and this user lacks.
 */
export function checkDatabase(url: string) {
  const look = async (client: Client) => {
    const facts = await factsOf(client);
    requireUsable(facts);
    if (facts.isPooled) {
      await requirePooler(client, url, facts);
      markDatabasePooled();
    }
    return {
      pending: await pendingOn(client),
      missing: await missingPrivileges(client),
      waitsForStandby: await commitsWaitForStandby(client),
    };
  };
  return withConnection(url, look, limits).catch((error: Error) => {
    throw explain(error, url);
  });
}

function requireUsable({ version, versionNumber, encoding, hiddenSchema }: DatabaseFacts): void {
  if (versionNumber < 140_000)
    throw new DatabaseUnusable(`The database is PostgreSQL ${version}; version 14 or later is needed.`);
  if (encoding !== "UTF8") throw new DatabaseUnusable(`The database's encoding is ${encoding}; it must be UTF8.`);
  // Postgres silently skips a schema that the user has no USAGE privilege on or that is not in its search_path.
  if (hiddenSchema !== null)
    throw new DatabaseUnusable(
      `The database's tables are in the schema ${hiddenSchema}, which this user cannot see: GRANT USAGE ON SCHEMA, or ALTER ROLE … SET search_path.`,
    );
}

/**
 * Throws if the pooler or the role lacks what the app needs. The client names its statements, so that each is parsed once. A
 * pooler without support for that passes the names on, and the client's next transaction, in another session, does not find
 * them. No pooler accepts statement_timeout at the start of a connection, so the role needs that limit: otherwise a save that
 * was abandoned while it waited for a locked row would later overwrite a newer one. An older pooler drops the options of a
 * connection, which set the time zone.
 */
async function requirePooler(client: Client, url: string, facts: DatabaseFacts): Promise<void> {
  const { statementTimeout, timeZone, dateStyle } = facts;
  if (!/^(Etc\/)?UTC$/.test(timeZone) || !dateStyle.startsWith("ISO"))
    throw new DatabaseUnusable(
      `The pooler in front of the database ignores the options of a connection, so times would be misread (${timeZone}, ${dateStyle}): use PgBouncer 1.21 or later, or ALTER ROLE … SET timezone = 'UTC' and SET datestyle = 'ISO'.`,
    );
  if (await keepsStatementName(client)) {
    const [first, second] = [await factsOf(client), await withConnection(url, factsOf, limits)];
    if (first.session === second.session)
      throw new DatabaseUnusable(
        "The pooler in front of the database does not support prepared statements: use PgBouncer 1.21 or later with max_prepared_statements above 0, or session pooling.",
      );
  }
  if (statementTimeout === "0")
    throw new DatabaseUnusable(
      "Behind a pooler, this user needs a statement_timeout of its own: run 'npm run roles' as the owner, or ALTER ROLE … SET statement_timeout = '1500ms'.",
    );
}
