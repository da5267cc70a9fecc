import "server-only";
import { createHash } from "node:crypto";
import { type Client, DatabaseError } from "pg";
import { createMigrationsTable, lockSchema, pendingOn, recordMigration, runScript } from "./catalogue";
import { withConnection } from "./connection";
import { migrationNames, migrationSql } from "./files";
import { grantRights } from "./roles";

const mostAttempts = 10;
/** SQLSTATE deadlock_detected. */
const deadlock = "40P01";

/**
 * Applies the pending migrations, of this version and then of a later one by name and script, and returns their names. Concurrent
 * runs wait for each other at an advisory lock.
 */
export function applyMigrations(url: string, later: Record<string, string> = {}): Promise<string[]> {
  return withConnection(url, async (client) => {
    await lockSchema(client);
    const pending = await pendingOn(client, [...migrationNames(), ...Object.keys(later)]);
    if (pending.length === 0) return [];
    await createMigrationsTable(client);
    for (const name of pending) await applyOne(client, name, later[name] ?? migrationSql(name));
    // Existing roles need their rights on new tables.
    await grantRights(client);
    return pending;
  });
}

/** One transaction with the row in _prisma_migrations, so that a migration that fails or is killed leaves nothing. */
async function applyOne(client: Client, name: string, script: string): Promise<void> {
  const checksum = createHash("sha256").update(script).digest("hex");
  for (let attempt = 1; ; attempt += 1) {
    try {
      await runScript(client, script, () => recordMigration(client, name, checksum));
      return;
    } catch (error) {
      // A call and a migration can deadlock. Postgres rolls one back whole, so retry.
      const isDeadlock = error instanceof DatabaseError && error.code === deadlock;
      if (!isDeadlock || attempt === mostAttempts)
        throw new Error(`The migration ${name} failed. ${(error as Error).message}`, { cause: error });
    }
  }
}
