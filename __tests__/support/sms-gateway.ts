import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface Given {
  status?: number;
  /** An object is sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
}

/**
 * Drop: the connection is cut once the request was read. Cut: it is cut in the middle of the answer. Stall: there is no answer.
 * Endless: the answer goes on for as long as the client reads.
 */
type Answer = Given | "drop" | "cut" | "stall" | "endless";

interface Asked {
  method: string | undefined;
  path: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Starts a gateway on this machine that records its requests and gives the answer that was set last. */
export async function startSmsGateway(onPort = 0) {
  const asked: Asked[] = [];
  let answer: Answer = {};
  let streamed = 0;
  const zeros = Buffer.alloc(64 * 1024);
  const stream = (response: ServerResponse) => {
    while (!response.destroyed) {
      streamed += zeros.length;
      if (!response.write(zeros)) return response.once("drain", () => stream(response));
    }
  };
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    asked.push({ method: request.method, path: request.url, headers: request.headers, body });
    server.emit("asked");
    if (answer === "stall") return;
    if (answer === "drop") return request.socket.destroy();
    if (answer === "cut") {
      response.writeHead(200, { "content-length": "1000" }).write('{"sid":');
      return setTimeout(() => request.socket.destroy(), 20);
    }
    if (answer === "endless") return stream(response.writeHead(200));
    const { status = 200, body: content = {}, headers } = answer;
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof content === "string" ? content : JSON.stringify(content));
  });
  server.listen(onPort, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    asked,
    /** Bytes of endless answers since the answer was set. */
    streamed: () => streamed,
    answers(next: Answer) {
      asked.length = 0;
      streamed = 0;
      answer = next;
    },
    /** Resolves once the gateway has read another request. */
    isAsked: () => once(server, "asked"),
    async end() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
