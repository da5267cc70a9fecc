import { hash } from "node:crypto";
import type { Client } from "pg";
import { createMigrationsTable, lockSchema, pendingOn, recordMigration, runScript } from "./catalogue";
import { withConnection } from "./connection";
import { retryOnDeadlock } from "./errors";
import { migrationNames, migrationSql } from "./files";
import { grantRights } from "./roles";

/** Under load, a migration may deadlock with several calls in turn. */
const maxRetries = 9;

/**
 * Applies the pending migrations of this version and then those of a later one, given as scripts by name. Returns the names of
 * those applied. Concurrent runs wait for each other at an advisory lock.
 */
export function applyMigrations(url: string, later: Record<string, string> = {}): Promise<string[]> {
  return withConnection(url, async (client) => {
    await lockSchema(client);
    const pending = await pendingOn(client, [...migrationNames(), ...Object.keys(later)]);
    if (pending.length > 0) await createMigrationsTable(client);
    for (const name of pending) await applyOne(client, name, later[name] ?? migrationSql(name));
    // Existing roles need privileges on new tables. An earlier run may have been killed before it granted them.
    await grantRights(client);
    return pending;
  });
}

/** Runs a migration and records it in the same transaction, so that one that fails or is killed leaves nothing behind. */
async function applyOne(client: Client, name: string, script: string): Promise<void> {
  const checksum = hash("sha256", script);
  const run = () => runScript(client, script, () => recordMigration(client, name, checksum));
  await retryOnDeadlock(run, maxRetries).catch((error) => {
    throw new Error(`The migration ${name} failed. ${error.message}`, { cause: error });
  });
}
