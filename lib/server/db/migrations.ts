import "server-only";
import { createHash } from "node:crypto";
import { type Client, DatabaseError } from "pg";
import { createMigrationsTable, lockSchema, pendingOn, recordMigration, runScript } from "./catalogue";
import { withConnection } from "./connection";
import { migrationNames, migrationSql } from "./files";
import { grantRights } from "./roles";

const maxAttempts = 10;
/** SQLSTATE deadlock_detected. */
const deadlock = "40P01";

/**
 * Applies the pending migrations of this version and then those of a later one, given as scripts by name. Returns the names of
 * those applied. Concurrent runs wait for each other at an advisory lock.
 */
export function applyMigrations(url: string, later: Record<string, string> = {}): Promise<string[]> {
  return withConnection(url, async (client) => {
    await lockSchema(client);
    const pending = await pendingOn(client, [...migrationNames(), ...Object.keys(later)]);
    if (pending.length === 0) return [];
    await createMigrationsTable(client);
    for (const name of pending) await applyOne(client, name, later[name] ?? migrationSql(name));
    // Existing roles need privileges on new tables.
    await grantRights(client);
    return pending;
  });
}

/** Runs a migration and records it in the same transaction, so that one that fails or is killed leaves nothing behind. */
async function applyOne(client: Client, name: string, script: string): Promise<void> {
  const checksum = createHash("sha256").update(script).digest("hex");
  for (let attempt = 1; ; attempt += 1) {
    try {
      await runScript(client, script, () => recordMigration(client, name, checksum));
      return;
    } catch (error) {
      // A call and a migration can deadlock. Postgres rolls one of them back completely, so the migration is retried.
      const isDeadlock = error instanceof DatabaseError && error.code === deadlock;
      if (!isDeadlock || attempt === maxAttempts)
        throw new Error(`The migration ${name} failed. ${(error as Error).message}`, { cause: error });
    }
  }
}
