import "server-only";
import { Pool } from "pg";
import { currentSettings } from "@/lib/server/settings";
import { driverUrl } from "./database-url";
import { limitEachTransaction } from "./pooled";

interface Database {
  pool: Pool;
  /** When a connection was last released without an error, by performance.now(). */
  answeredAt: number;
  /** Called before the pool is closed: disconnects Prisma (prisma.ts). */
  leave?: () => Promise<void>;
}

// On globalThis: `next dev` reloads this module, and each reload would leak a pool.
const kept = globalThis as { rentAdvanceDatabase?: Database };

function open(url: string): Database {
  const { poolSize, databaseTimeoutMs } = currentSettings();
  const pool = new Pool({
    connectionString: driverUrl(url),
    max: poolSize,
    // Includes the wait for a free connection of the pool.
    connectionTimeoutMillis: databaseTimeoutMs,
    // Postgres enforces the first. The second is the driver's, for a server that does not answer at all.
    statement_timeout: databaseTimeoutMs,
    query_timeout: databaseTimeoutMs + 250,
  });
  // The pool replaces an idle connection that breaks. Without a listener, its 'error' event would end the process.
  pool.on("error", () => {});
  const opened: Database = { pool, answeredAt: 0 };
  pool.on("release", (error) => {
    if (!error) opened.answeredAt = performance.now();
  });
  return opened;
}

/** Opens the pool on the embedded Postgres, say, which no setting names. Opened on first use, it is on DATABASE_URL. */
export function openDatabase(url: string): void {
  kept.rentAdvanceDatabase ??= open(url);
}

/** The only pool of this process, used directly and by Prisma (docs/decisions/one-pool-two-doors.md). */
export function database(): Database {
  kept.rentAdvanceDatabase ??= open(process.env.DATABASE_URL ?? "");
  return kept.rentAdvanceDatabase;
}

/** For a database that is reached through a pooler; before the first statement. */
export function databaseIsPooled(): void {
  limitEachTransaction(database().pool, currentSettings().databaseTimeoutMs);
}

export async function closeDatabase(): Promise<void> {
  const open = kept.rentAdvanceDatabase;
  kept.rentAdvanceDatabase = undefined;
  await open?.leave?.();
  await open?.pool.end();
}
