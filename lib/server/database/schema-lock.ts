import "server-only";
import type { Client } from "pg";

/** Any number that nothing else locks. */
const key = 7_214_530_961;

/** Whoever changes tables or rights does it alone. Held until the connection ends. */
export async function lockSchema(client: Client): Promise<void> {
  await client.query("SELECT pg_advisory_lock($1)", [key]);
}
