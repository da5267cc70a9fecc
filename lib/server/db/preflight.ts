import "server-only";
import type { Client } from "pg";
import { type DatabaseFacts, factsOf, keepsPrepared, pendingOn } from "./catalogue";
import { databaseIsPooled } from "./client";
import { withConnection } from "./connection";
import { DatabaseUnusable, explain } from "./errors";

interface Checked<T> {
  /** The migrations that the database lacks, oldest first. */
  pending: string[];
  /** What `also` found; undefined where migrations are pending. */
  also: T | undefined;
}

/** A pooler lets a client in while Postgres is away, and then keeps its statement waiting. */
const limits = { connectionTimeoutMillis: 5000, query_timeout: 5000 };

/** Looks at the database of this process before it is used. Throws DatabaseUnusable with the cause where it cannot be. */
export async function checkDatabase<T = undefined>(
  url: string,
  also?: (client: Client) => Promise<T>,
): Promise<Checked<T>> {
  const look = async (client: Client) => {
    const facts = await factsOf(client);
    requireUsable(facts);
    if (facts.isPooled) {
      await requirePooler(client, url, facts);
      databaseIsPooled();
    }
    const pending = await pendingOn(client);
    return { pending, also: pending.length === 0 ? await also?.(client) : undefined };
  };
  return withConnection(url, look, limits).catch((error: Error) => {
    throw explain(error, url);
  });
}

function requireUsable({ version, versionNumber, encoding, hiddenSchema }: DatabaseFacts): void {
  if (versionNumber < 140_000)
    throw new DatabaseUnusable(`The database is PostgreSQL ${version}; version 14 or later is needed.`);
  if (encoding !== "UTF8") throw new DatabaseUnusable(`The database's encoding is ${encoding}; it has to be UTF8.`);
  // Postgres passes over a schema that the user may not enter, or whose name is not in its search_path, without an error.
  if (hiddenSchema !== null)
    throw new DatabaseUnusable(
      `The database's tables are in the schema ${hiddenSchema}, which its user cannot see: GRANT USAGE ON SCHEMA, or ALTER ROLE … SET search_path.`,
    );
}

/**
 * Statements are named, so that each is parsed once. A pooler that can keep them gives them names of its own; one that cannot
 * passes them on, and the next transaction of the client, in another session, does not find them. And no pooler takes
 * statement_timeout as a connection starts, so the role has to have it: otherwise a save that was given up while it waited
 * for a locked row would be kept later, over a newer one.
 */
async function requirePooler(client: Client, url: string, { statementTimeout }: DatabaseFacts): Promise<void> {
  if (await keepsPrepared(client)) {
    const [mine, other] = [await factsOf(client), await withConnection(url, factsOf, limits)];
    if (mine.session === other.session)
      throw new DatabaseUnusable(
        "The pooler in front of the database keeps no prepared statements: it has to be PgBouncer 1.21 or later with max_prepared_statements above 0, or pool by session.",
      );
  }
  if (statementTimeout === "0")
    throw new DatabaseUnusable(
      "Behind a pooler the database limits no statement of this user: run 'npm run roles' as the owner, or ALTER ROLE … SET statement_timeout = '1500ms'.",
    );
}
