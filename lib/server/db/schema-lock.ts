import "server-only";
import type { Client } from "pg";
import { isPooled } from "./pooled";

/** An arbitrary number that no other advisory lock uses. */
const key = 7_214_530_961;

/** Serialises changes of tables and rights. A session lock: released when the connection closes. */
export async function lockSchema(client: Client): Promise<void> {
  if (await isPooled(client))
    throw new Error("A pooler is in between, which keeps no locks: give this command the database's own address.");
  await client.query("SELECT pg_advisory_lock($1)", [key]);
}
