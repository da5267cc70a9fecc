import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import type { App } from "./app";

interface Sent {
  /** Resolves once the request is with the kernel, whether or not the app has taken the connection. */
  gone: Promise<unknown>;
  /** Status and Connection header, or the error's code. */
  outcome: Promise<string>;
}

/** One request on a connection of its own. */
export function sendAlone(app: Pick<App, "url">, path: string, body?: unknown): Sent {
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
  const gone = once(sent, "finish").catch(() => undefined);
  sent.end(body && JSON.stringify(body));
  return { gone, outcome };
}
