import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { listen } from "./tcp-server";

interface ReceivedRequest {
  method: string | undefined;
  path: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A lender's system that receives webhooks: a real HTTP server that returns 204 until the test sets another response. */
export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

export async function startReceiver(onPort = 0) {
  const requests: ReceivedRequest[] = [];
  let respond: (response: ServerResponse) => void = (response) => response.writeHead(204).end();
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request.setEncoding("utf8")) body += part;
    requests.push({ method: request.method, path: request.url, headers: request.headers, body });
    server.emit("received");
    respond(response);
  });
  const port = await listen(server, onPort);
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    requests,
    respondWith(next: (response: ServerResponse) => void) {
      respond = next;
    },
    /** Resolves once another request has been received. */
    nextRequest: () => once(server, "received"),
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
