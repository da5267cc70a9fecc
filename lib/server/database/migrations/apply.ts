import "server-only";
import { Client } from "pg";
import { everything, migrationList, withEngine } from "./engine";
import { pendingOn } from "./pending";

/** Any number that nothing else locks. */
const lockKey = 7_214_530_961;

/** Brings a database up to date and tells what was applied. Of several at once, one does it and the others wait. */
export async function applyMigrations(url: string): Promise<string[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [lockKey]);
    const pending = await pendingOn(client);
    if (pending.length === 0) return [];
    const input = { migrationsList: migrationList(), filters: everything };
    const { appliedMigrationNames } = await withEngine(url, (engine) => engine.applyMigrations(input));
    return appliedMigrationNames;
  } finally {
    // Ends the lock with it.
    await client.end();
  }
}
