import "server-only";
import type { SchemaEngine } from "@prisma/schema-engine-wasm";
import { Pool } from "pg";
import { withConnection } from "@/lib/server/database/connection";
import { grantRights } from "@/lib/server/database/roles/make-roles";
import { lockSchema } from "@/lib/server/database/schema-lock";
import { everything, migrationList, startEngine } from "./engine";
import { pendingOn } from "./pending";

/** Brings a database up to date and tells what was applied. Of several at once, one does it and the others wait. */
export function applyMigrations(url: string): Promise<string[]> {
  return withConnection(url, async (client) => {
    await lockSchema(client);
    const pending = await pendingOn(client);
    if (pending.length === 0) return [];
    await applyEach(url, pending);
    // The roles there are may need the tables that are new.
    await grantRights(client);
    return pending;
  });
}

async function applyEach(url: string, names: string[]): Promise<void> {
  // The engine sends all it does to the one connection of this pool, and so into the transaction.
  const pool = new Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0 });
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

/** In a transaction with the record that it was applied, so that one that fails or is cut off leaves nothing. */
async function applyOne(pool: Pool, engine: SchemaEngine, name: string, attempts = 10): Promise<void> {
  await pool.query("BEGIN");
  try {
    await engine.applyMigrations({ migrationsList: migrationList(name), filters: everything });
  } catch (error) {
    await pool.query("ROLLBACK");
    // Of a migration and a call that wait for each other, Postgres ends one. Nothing of it is left: once more.
    if (attempts > 1 && isDeadlock(error as Error)) return applyOne(pool, engine, name, attempts - 1);
    throw error;
  }
  await pool.query("COMMIT");
}

/** What the engine calls Postgres's 40P01; its errors carry no code. */
const isDeadlock = ({ message }: Error) => message.includes("Transaction write conflict");

/** The engine's message is followed by a trace of its own insides, which names the migration. */
function plain({ message }: Error): string {
  const migration = /migration_name="([^"]+)"/.exec(message)?.[1];
  const [reason] = message.split(/\n\s+0: /);
  return migration ? `The migration ${migration} failed. ${reason}` : (reason ?? message);
}
