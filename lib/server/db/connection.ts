import { Client, type ClientConfig } from "pg";
import { driverUrl } from "./database-url";
import { explain } from "./errors";

export async function withConnection<T>(
  url: string,
  use: (client: Client) => Promise<T>,
  limits: Pick<ClientConfig, "connectionTimeoutMillis" | "query_timeout"> = { connectionTimeoutMillis: 10_000 },
): Promise<T> {
  const client = new Client({ connectionString: driverUrl(url), ...limits });
  // A broken connection rejects the running statement. Without a listener, its 'error' event would end the process.
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
