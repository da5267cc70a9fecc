import "server-only";
import { Client } from "pg";

/** One connection for a few statements, closed whatever comes of them. */
export async function withConnection<T>(
  url: string,
  use: (client: Client) => Promise<T>,
  patienceMs = 10_000,
): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: patienceMs });
  // A connection that breaks fails the statement under way; the event besides would end the process if nobody listened.
  client.on("error", () => {});
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end();
  }
}
