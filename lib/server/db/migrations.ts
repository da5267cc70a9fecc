import "server-only";
import { createHash, randomUUID } from "node:crypto";
import { type Client, DatabaseError } from "pg";
import { pendingOn } from "./catalogue";
import { lockSchema, runScript, withConnection } from "./connection";
import { migrationSql } from "./files";
import { grantRights } from "./roles";

const mostAttempts = 10;
/** SQLSTATE deadlock_detected. */
const deadlock = "40P01";

// Raw throughout: definitions of tables, and Prisma's own table.

/** As Prisma creates it, so that its own tools know what has been applied. */
const createTable = `
  CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id varchar(36) PRIMARY KEY NOT NULL,
    checksum varchar(64) NOT NULL,
    finished_at timestamptz,
    migration_name varchar(255) NOT NULL,
    logs text,
    rolled_back_at timestamptz,
    started_at timestamptz NOT NULL DEFAULT now(),
    applied_steps_count integer NOT NULL DEFAULT 0
  )`;

const record = `
  INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
  VALUES ($1, $2, $3, clock_timestamp(), 1)`;

/** Applies the pending migrations and returns their names. Concurrent runs wait for each other at an advisory lock. */
export function applyMigrations(url: string): Promise<string[]> {
  return withConnection(url, async (client) => {
    await lockSchema(client);
    const pending = await pendingOn(client);
    if (pending.length === 0) return [];
    await client.query(createTable);
    for (const name of pending) await applyOne(client, name);
    // Existing roles need their rights on new tables.
    await grantRights(client);
    return pending;
  });
}

/** One transaction with the row in _prisma_migrations, so that a migration that fails or is killed leaves nothing. */
async function applyOne(client: Client, name: string): Promise<void> {
  const script = migrationSql(name);
  const checksum = createHash("sha256").update(script).digest("hex");
  for (let attempt = 1; ; attempt += 1) {
    try {
      await runScript(client, script, async () => {
        await client.query(record, [randomUUID(), checksum, name]);
      });
      return;
    } catch (error) {
      // A call and a migration can deadlock. Postgres rolls one back whole, so retry.
      const isDeadlock = error instanceof DatabaseError && error.code === deadlock;
      if (!isDeadlock || attempt === mostAttempts)
        throw new Error(`The migration ${name} failed. ${(error as Error).message}`, { cause: error });
    }
  }
}
