import "server-only";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { currentSettings } from "@/lib/server/env";
import type { CallRequest } from "./call-request";
import { logLateFailure } from "./log";
import { mostBytes } from "./read-body";

type Handler = (request: CallRequest) => Promise<Response>;

// On the process: Next bundles the instrumentation, which meets the server, and each call apart.
const kept = globalThis as { rentAdvanceCalls?: Map<string, Handler> };
const met = new WeakSet<Server>();
const zipped = promisify(gzip);
/** Bytes from which Next compresses as well. */
const worthZipping = 1024;

/**
 * From now on this process answers POSTs to this path before Next sees them, which takes longer for each than the call
 * (docs/decisions/calls-before-next.md). Next loads a route with its first request; then the route's call comes here.
 */
export function answerBeforeNext(path: string, handler: Handler): void {
  // `next dev` looks with each request whether a route has changed.
  if (process.env.NODE_ENV === "development") return;
  kept.rentAdvanceCalls ??= new Map();
  kept.rentAdvanceCalls.set(path, handler);
}

/** Next makes the server, so it is met with its first connection. The one for metrics is our own. */
export function standBeforeNext(server: Server): void {
  if (met.has(server)) return;
  met.add(server);
  const { port } = server.address() as AddressInfo;
  if (port === currentSettings().metricsPort) return;
  const [next, other] = server.listeners("request") as ((request: IncomingMessage, response: ServerResponse) => void)[];
  // Otherwise it is not as Next makes it today, and all is left to Next.
  if (!next || other) return;
  server.off("request", next).on("request", (request, response) => {
    const path = request.url ?? "";
    const handler = hasShortBody(request) ? kept.rentAdvanceCalls?.get(path) : undefined;
    if (!handler) return next(request, response);
    handler(callRequest(request))
      .then((answer) => send(answer, request, response))
      .catch((error) => {
        logLateFailure(path, error);
        response.destroy();
      });
  });
}

/** What does not say how long it is, or is too long, is left to Next. */
const hasShortBody = ({ method, headers }: IncomingMessage) =>
  method === "POST" && Number(headers["content-length"]) <= mostBytes;

function callRequest(request: IncomingMessage): CallRequest {
  // Destroyed, it could not be answered.
  const chunks = request.iterator({ destroyOnReturn: false });
  return {
    headers: { get: (name) => request.headers[name]?.toString() ?? null },
    body: { getReader: () => ({ read: () => chunks.next(), cancel: async () => {} }) },
  };
}

async function send(answer: Response, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const plain = Buffer.from(await answer.arrayBuffer());
  const takesGzip = request.headers["accept-encoding"]?.split(/\s*,\s*/).includes("gzip");
  const isZipped = takesGzip && plain.length >= worthZipping;
  const body = isZipped ? await zipped(plain) : plain;
  // Node drops a body that nobody has begun to read, but not the rest of one that stalled.
  if (request.readableDidRead && !request.complete) response.shouldKeepAlive = false;
  response.setHeaders(answer.headers);
  response.setHeader("Vary", "Accept-Encoding");
  if (isZipped) response.setHeader("Content-Encoding", "gzip");
  response.writeHead(answer.status, { "Content-Length": body.length }).end(body);
}
