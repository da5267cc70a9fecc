import { hash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { withConnection } from "./connection";
import { isDeadlock, isLockTimeout } from "./errors";
import { migrationNames, migrationSql } from "./files";
import { grantPrivileges } from "./roles";
import { createMigrationsTable, lockSchema, pendingOn, recordOf, runScript, withLockLimit } from "./system-queries";

const pauseMs = 1000;
const maxLockedMs = 10 * 60_000;

/**
 * Applies the pending migrations of this version. Returns the names of those applied. Concurrent runs wait for each other at an
 * advisory lock. Tests also pass `later`, the migrations of a later version: their scripts by name.
 */
export function applyMigrations(url: string, later: Record<string, string> = {}): Promise<string[]> {
  return withConnection(url, async (client) => {
    await lockSchema(client);
    const pending = await pendingOn(client, [...migrationNames(), ...Object.keys(later)]);
    if (pending.length > 0) await createMigrationsTable(client);
    for (const name of pending) await applyOne(client, name, later[name] ?? migrationSql(name));
    // Existing roles need privileges on new tables. An earlier run may have been killed before it granted them.
    await grantPrivileges(client);
    return pending;
  });
}

/**
 * Runs a migration and records it in the same transaction, so that one that fails or is killed leaves nothing behind. Calls queue
 * behind a migration that waits for a lock. So it gives up soon, and they run before the next attempt. The limit applies to each
 * table, and those locked first stay locked meanwhile.
 */
async function applyOne(client: Client, name: string, script: string): Promise<void> {
  const checksum = hash("sha256", script);
  const run = () => runScript(client, withLockLimit(`${script}\n;${recordOf(name, checksum)}`));
  await retryWhileLocked(run).catch((error) => {
    throw new Error(`The migration ${name} failed. ${error.message}`, { cause: error });
  });
}

/** Under load, a migration may also deadlock with several calls in turn. */
async function retryWhileLocked(work: () => Promise<unknown>) {
  for (const ends = performance.now() + maxLockedMs; ; await sleep(pauseMs)) {
    try {
      return await work();
    } catch (error) {
      if (!isLockTimeout(error) && !isDeadlock(error)) throw error;
      if (performance.now() > ends)
        throw new Error("Other queries kept a table locked for ten minutes.", { cause: error });
    }
  }
}
