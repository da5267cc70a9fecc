import "server-only";
import type { Client, Pool, QueryResult } from "pg";

/** Whether a pooler stands in between: it makes up the number of the session that Postgres gives a client. */
export function isPooledSession(client: Client, session: number): boolean {
  return session !== (client as Client & { processID: number | null }).processID;
}

export async function isPooled(client: Client): Promise<boolean> {
  return isPooledSession(client, await sessionOf(client));
}

export async function sessionOf(client: Client): Promise<number> {
  const { rows } = await client.query("SELECT pg_backend_pid() AS session");
  return rows[0].session;
}

type Send = (statement: string | { text: string }, ...rest: unknown[]) => Promise<QueryResult>;

/**
 * Behind a pooler a connection has another session for each transaction, and statement_timeout is refused as it starts.
 * So every statement gets a transaction, and every transaction is told its limit: without one, a save that was given up
 * while it waited for a locked row would be kept later, over a newer one.
 */
export function limitEachTransaction(pool: Pool, milliseconds: number): void {
  const begin = `BEGIN; SET LOCAL statement_timeout = ${milliseconds}`;
  pool.options.statement_timeout = false;
  pool.on("connect", (client) => {
    // The pool listens only while a connection is idle; one that breaks in use also rejects its statement.
    client.on("error", () => {});
    const send = client.query.bind(client) as Send;
    const query: Send = (statement, ...rest) => {
      const text = typeof statement === "string" ? statement : statement.text;
      return /^\s*BEGIN\b/.test(text) ? send(text.replace("BEGIN", begin)) : send(statement, ...rest);
    };
    Object.assign(client, { query });
  });
  const query: Send = async (...sent) => {
    const client = await pool.connect();
    try {
      await client.query("BEGIN");
      const result = await (client.query as Send)(...sent);
      await client.query("COMMIT");
      client.release();
      return result;
    } catch (error) {
      client.release(error as Error);
      throw error;
    }
  };
  Object.assign(pool, { query });
}
