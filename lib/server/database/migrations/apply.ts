import "server-only";
import type { SchemaEngine } from "@prisma/schema-engine-wasm";
import { Pool } from "pg";
import { withConnection } from "@/lib/server/database/connection";
import { grantRights } from "@/lib/server/database/roles/make-roles";
import { lockSchema } from "@/lib/server/database/schema-lock";
import { driverUrl } from "@/lib/server/database-url";
import { everything, migrationList, startEngine } from "./engine";
import { pendingOn } from "./pending";

/** Applies the pending migrations and returns their names. Concurrent runs wait for each other at an advisory lock. */
export function applyMigrations(url: string): Promise<string[]> {
  return withConnection(url, async (client) => {
    await lockSchema(client);
    const pending = await pendingOn(client);
    if (pending.length === 0) return [];
    await applyEach(url, pending);
    // Existing roles need their rights on new tables.
    await grantRights(client);
    return pending;
  });
}

async function applyEach(url: string, names: string[]): Promise<void> {
  // max: 1 puts everything that the engine sends into the transaction that applyOne has begun on this connection.
  const pool = new Pool({ connectionString: driverUrl(url), max: 1, idleTimeoutMillis: 0 });
  pool.on("error", () => {});
  try {
    const engine = await startEngine(pool);
    for (const name of names) await applyOne(pool, engine, name);
  } catch (error) {
    throw new Error(plain(error as Error));
  } finally {
    await pool.end();
  }
}

/** One transaction with the row in _prisma_migrations, so that a migration that fails or is killed leaves nothing. */
async function applyOne(pool: Pool, engine: SchemaEngine, name: string, attempts = 10): Promise<void> {
  await pool.query("BEGIN");
  try {
    await engine.applyMigrations({ migrationsList: migrationList(name), filters: everything });
  } catch (error) {
    await pool.query("ROLLBACK");
    // A call and a migration can deadlock. Postgres rolls one back whole, so retry.
    if (attempts > 1 && isDeadlock(error as Error)) return applyOne(pool, engine, name, attempts - 1);
    throw error;
  }
  await pool.query("COMMIT");
}

/** The engine's words for SQLSTATE 40P01 (deadlock_detected). Its errors have no code. */
const isDeadlock = ({ message }: Error) => message.includes("Transaction write conflict");

/** Cuts off the engine's internal trace, which follows its message. Only the trace names the migration. */
function plain({ message }: Error): string {
  const migration = /migration_name="([^"]+)"/.exec(message)?.[1];
  const [reason] = message.split(/\n\s+0: /);
  return migration ? `The migration ${migration} failed. ${reason}` : (reason ?? message);
}
