import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import type { App } from "./app";

interface Sent {
  /** Resolves once the kernel has the request, whether or not the app has accepted the connection. */
  written: Promise<unknown>;
  /** The status and the Connection header, or the error's code. */
  outcome: Promise<string>;
}

/** Writes a text to a new connection, such as a request that no browser sends. Resolves with the whole response. */
export async function sendText({ url }: Pick<App, "url">, text: string): Promise<string> {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname).on("error", () => {});
  let answer = "";
  socket.on("data", (chunk) => (answer += chunk)).write(text);
  await once(socket, "close", { signal: AbortSignal.timeout(20_000) });
  return answer;
}

/** Sends one request on its own connection. */
export function sendOnNewConnection(app: Pick<App, "url">, path: string, body?: unknown): Sent {
  const agent = new Agent({ keepAlive: true });
  const sent = request(`${app.url}${path}`, {
    agent,
    method: body ? "POST" : "GET",
    headers: { "content-type": "application/json", "x-forwarded-for": "10.0.0.1" },
  });
  const outcome = once(sent, "response")
    .then(async ([response]: IncomingMessage[]) => {
      for await (const _ of response ?? []);
      return `${response?.statusCode} ${response?.headers.connection}`;
    })
    .catch((error: NodeJS.ErrnoException) => error.code ?? error.message)
    .finally(() => agent.destroy());
  const written = once(sent, "finish").catch(() => undefined);
  sent.end(body && JSON.stringify(body));
  return { written, outcome };
}
