import "server-only";
import type { Client } from "pg";

/** An arbitrary number that no other advisory lock uses. */
const key = 7_214_530_961;

/** Serialises changes of tables and rights. A session lock: released when the connection closes. */
export async function lockSchema(client: Client): Promise<void> {
  await client.query("SELECT pg_advisory_lock($1)", [key]);
}
