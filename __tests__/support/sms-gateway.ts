import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { startReceiver } from "./receiver";

interface GatewayResponse {
  status?: number;
  /** An object is sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** Drop: the connection ends once the request was read. Cut: it ends in the middle of the response. Stall: nothing is sent. Endless: the response does not end. */
type Behaviour = GatewayResponse | "drop" | "cut" | "stall" | "endless";

/** Megabytes of spaces, which JSON may begin with, for as long as the other end reads. */
const spaces = Buffer.alloc(1e6, " ");
const endlessAnswer = () => Readable.from(Array(100_000).fill(spaces));

/** Starts a gateway on this machine that records its requests, and responds as the test has set last. */
export async function startSmsGateway(onPort = 0) {
  const { url, requests, nextRequest, stop, ...receiver } = await startReceiver(onPort);
  const respond = (behaviour: Behaviour, response: ServerResponse) => {
    if (behaviour === "stall") return;
    if (behaviour === "endless") return endlessAnswer().pipe(response.writeHead(200));
    if (behaviour === "drop") return response.destroy();
    if (behaviour === "cut") {
      response.writeHead(200, { "content-length": "1000" }).write('{"sid":');
      return setTimeout(() => response.destroy(), 20);
    }
    const { status = 200, body: content = {}, headers } = behaviour;
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof content === "string" ? content : JSON.stringify(content));
  };
  const respondWith = (behaviour: Behaviour) => {
    requests.length = 0;
    receiver.respondWith((response) => respond(behaviour, response));
  };
  respondWith({});
  const { origin, port } = new URL(url);
  return { url: origin, port: Number(port), requests, respondWith, nextRequest, stop };
}
