import "server-only";
import { Pool, type QueryResultRow } from "pg";
import { driverUrl } from "@/lib/server/database-url";
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

export async function senderQuery<Row extends QueryResultRow>(statement: {
  text: string;
  values: unknown[];
}): Promise<Row[]> {
  if (!pool) throw new Error("No pool is open for sending");
  return (await pool.query<Row>(statement)).rows;
}

export async function closeSenderPool(): Promise<void> {
  const open = pool;
  pool = undefined;
  await open?.end();
}
