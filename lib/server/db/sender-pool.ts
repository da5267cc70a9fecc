import "server-only";
import { Pool, type QueryResultRow } from "pg";
import { driverUrl } from "./database-url";
import { limitEachTransaction } from "./pooled";

const statementMs = 15_000;
let pool: Pool | undefined;

/** Two connections for sending, so that calls never wait for messages, nor messages for calls. */
export function openSenderPool(url: string, isPooled: boolean): void {
  pool = new Pool({
    connectionString: driverUrl(url),
    max: 2,
    connectionTimeoutMillis: 5000,
    statement_timeout: statementMs,
    query_timeout: statementMs + 1000,
  });
  // As in client.ts: a broken idle connection is replaced.
  pool.on("error", () => {});
  if (isPooled) limitEachTransaction(pool, statementMs);
}

interface Statement {
  text: string;
  values: unknown[];
}

/** Sends one statement of a transaction. */
export type SenderTransaction = <Row extends QueryResultRow>(statement: Statement) => Promise<Row[]>;

/** Commits what `work` does, or nothing of it. */
export async function inSenderTransaction<T>(work: (query: SenderTransaction) => Promise<T>): Promise<T> {
  if (!pool) throw new Error("No pool is open for sending");
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    const result = await work(async <Row extends QueryResultRow>(statement: Statement) => {
      const { rows } = await client.query<Row>(statement);
      return rows;
    });
    await client.query("COMMIT");
    client.release();
    return result;
  } catch (error) {
    // The connection is closed, and its transaction with it.
    client.release(error as Error);
    throw error;
  }
}

export async function closeSenderPool(): Promise<void> {
  const open = pool;
  pool = undefined;
  await open?.end();
}
