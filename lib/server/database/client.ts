import "server-only";
import { PrismaPg } from "@prisma/adapter-pg";
import { Pool } from "pg";
import { currentSettings } from "@/lib/server/env";
import { PrismaClient } from "@/prisma/generated/client";

interface Database {
  pool: Pool;
  prisma: PrismaClient;
  /** When a connection last came back unharmed, by performance.now(). */
  answeredAt: number;
}

// Kept on the process: development reloads this module, and each reload would leave a pool behind.
const kept = globalThis as { rentAdvanceDatabase?: Database };

/** Same text, same name: Postgres then plans each of our few statements once a connection. */
const statementNames = new Map<string, string>();
function nameStatement({ sql }: { sql: string }): string {
  const name = statementNames.get(sql) ?? `s${statementNames.size}`;
  statementNames.set(sql, name);
  return name;
}

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
  const adapter = new PrismaPg(pool, { statementNameGenerator: nameStatement });
  const opened: Database = { pool, prisma: new PrismaClient({ adapter }), answeredAt: 0 };
  pool.on("release", (error) => {
    if (!error) opened.answeredAt = performance.now();
  });
  return opened;
}

/** The one pool of this process, and Prisma on top of it. */
export function database(): Database {
  kept.rentAdvanceDatabase ??= open();
  return kept.rentAdvanceDatabase;
}

export async function closeDatabase(): Promise<void> {
  const open = kept.rentAdvanceDatabase;
  kept.rentAdvanceDatabase = undefined;
  await open?.prisma.$disconnect();
  await open?.pool.end();
}
