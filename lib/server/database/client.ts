import "server-only";
import { Pool } from "pg";
import { currentSettings } from "@/lib/server/env";

interface Database {
  pool: Pool;
  /** When a connection last came back unharmed, by performance.now(). */
  answeredAt: number;
  /** What to do before the pool is closed. */
  leave?: () => Promise<void>;
}

// Kept on the process: development reloads this module, and each reload would leave a pool behind.
const kept = globalThis as { rentAdvanceDatabase?: Database };

function open(): Database {
  const { poolSize, databaseTimeoutMs } = currentSettings();
  const pool = new Pool({
    // Read at first use: on the embedded Postgres the start writes it here.
    connectionString: process.env.DATABASE_URL,
    max: poolSize,
    // Waiting for a free connection counts as well.
    connectionTimeoutMillis: databaseTimeoutMs,
    // The server gives up first; the client's bound is for a server that no longer answers at all.
    statement_timeout: databaseTimeoutMs,
    query_timeout: databaseTimeoutMs + 250,
  });
  // A connection that breaks while idle is replaced by the pool; unheard, the event would end the process.
  pool.on("error", () => {});
  const opened: Database = { pool, answeredAt: 0 };
  pool.on("release", (error) => {
    if (!error) opened.answeredAt = performance.now();
  });
  return opened;
}

/** The one pool of this process: for the statements of every call, and under Prisma (prisma.ts) for all others. */
export function database(): Database {
  kept.rentAdvanceDatabase ??= open();
  return kept.rentAdvanceDatabase;
}

export async function closeDatabase(): Promise<void> {
  const open = kept.rentAdvanceDatabase;
  kept.rentAdvanceDatabase = undefined;
  await open?.leave?.();
  await open?.pool.end();
}
