import { Client, type ClientConfig } from "pg";
import { driverUrl } from "@/lib/server/database-url";
import { explain } from "./errors";

export async function withConnection<T>(
  url: string,
  use: (client: Client) => Promise<T>,
  limits: Pick<ClientConfig, "connectionTimeoutMillis" | "query_timeout" | "types"> = {
    connectionTimeoutMillis: 10_000,
  },
): Promise<T> {
  const client = new Client({ connectionString: driverUrl(url), ...limits });
  // A broken connection rejects the running statement. Without a listener, its 'error' event would end the process.
  client.on("error", () => {});
  await client.connect().catch((error: Error) => {
    // Not awaited: with TLS 1.3, a client learns only after the handshake that its certificate is refused. The driver then waits
    // until its last message is written, perhaps for ever. unref(), which the types lack, lets the process end all the same.
    (client as Client & { unref(): void }).unref();
    void client.end();
    throw explain(error, url);
  });
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
