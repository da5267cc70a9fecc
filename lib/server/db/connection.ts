import "server-only";
import { Client, type ClientConfig } from "pg";
import { factsOf } from "./catalogue";
import { driverUrl } from "./database-url";
import { explain } from "./errors";

/** Opens a connection for a few statements and closes it, also after an error. */
export async function withConnection<T>(
  url: string,
  use: (client: Client) => Promise<T>,
  limits: Pick<ClientConfig, "connectionTimeoutMillis" | "query_timeout"> = { connectionTimeoutMillis: 10_000 },
): Promise<T> {
  const client = new Client({ connectionString: driverUrl(url), ...limits });
  // A broken connection rejects the running statement. Its 'error' event would end the process if nobody listened.
  client.on("error", () => {});
  try {
    await client.connect().catch((error: Error) => {
      throw explain(error, url);
    });
    return await use(client);
  } finally {
    await client.end();
  }
}

/** An arbitrary number that no other advisory lock uses. */
const schemaLock = 7_214_530_961;

/** Serialises changes of tables and rights. A session lock: released when the connection closes. */
export async function lockSchema(client: Client): Promise<void> {
  if ((await factsOf(client)).isPooled)
    throw new Error("A pooler is in between, which keeps no locks: give this command the database's own address.");
  await client.query("SELECT pg_advisory_lock($1)", [schemaLock]);
}

/** Commits a script as a whole, or nothing of it. */
export async function runScript(client: Client, script: string, also = async () => {}): Promise<void> {
  try {
    await client.query("BEGIN");
    await client.query(script);
    await also();
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  }
}
