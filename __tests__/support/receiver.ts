import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Taken {
  method: string | undefined;
  path: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A lender's system that receives webhooks: a real HTTP server that answers 204 until the test sets another answer. */
export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

export async function startReceiver(onPort = 0) {
  const taken: Taken[] = [];
  let answer: (response: ServerResponse) => void = (response) => response.writeHead(204).end();
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request.setEncoding("utf8")) body += part;
    taken.push({ method: request.method, path: request.url, headers: request.headers, body });
    server.emit("taken");
    answer(response);
  });
  await once(server.listen(onPort, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    taken,
    answerWith(next: (response: ServerResponse) => void) {
      answer = next;
    },
    /** Resolves once the receiver has read another request. */
    isAsked: () => once(server, "taken"),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
