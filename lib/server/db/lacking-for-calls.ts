import "server-only";
import { randomUUID } from "node:crypto";
import type { ClientBase } from "pg";
import { database } from "./client";
import { pendingOn } from "./migrations/pending";
import { lackingOf } from "./roles/lacking";

/**
 * On a full disk small writes go on for a while, in pages that have room: so this needs new space as well, in a temporary
 * file, which is gone with the statement. What it inserts is rolled back.
 */
const write = () => `
  BEGIN;
  SET LOCAL work_mem = '64kB';
  SELECT count(*) FROM generate_series(1, 5000);
  INSERT INTO rate_limits (key) VALUES ('ready:${randomUUID()}');
  ROLLBACK`;

/** The tables, rights or migrations without which calls fail, by name. Throws if the database is away or takes no writes. */
export async function lackingForCalls(): Promise<string[]> {
  const client = await database().pool.connect();
  let failure: Error | undefined;
  try {
    const lacking = await lackingOn(client);
    if (lacking.length === 0) await client.query(write());
    return lacking;
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    // After an error the connection is closed, and its transaction with it.
    client.release(failure);
  }
}

async function lackingOn(client: ClientBase): Promise<string[]> {
  const lacking = await lackingOf(client);
  return lacking.length > 0 ? lacking : (await pendingOn(client)).map((name) => `migration ${name}`);
}
