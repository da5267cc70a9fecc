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

/** What loads the route of a call, by its path. */
export type Routes = Map<string, () => Promise<{ POST: Handler }>>;

const met = new WeakSet<Server>();
const zipped = promisify(gzip);
/** Bytes from which Next compresses as well. */
const worthZipping = 1024;

/**
 * Answers POSTs to these paths before Next sees them, which takes longer for each than the call
 * (docs/decisions/calls-before-next.md). Next makes the server, so it is met with the first connection after the start; until
 * then Next answers, as it can as well. The server for metrics is our own.
 */
export function standBeforeNext(server: Server, routes: Routes): void {
  if (met.has(server)) return;
  met.add(server);
  const { port } = server.address() as AddressInfo;
  if (port === currentSettings().metricsPort) return;
  const [next, other] = server.listeners("request") as ((request: IncomingMessage, response: ServerResponse) => void)[];
  // Otherwise it is not as Next makes it today, and all is left to Next.
  if (!next || other) return;
  server.off("request", next).on("request", (request, response) => {
    const path = request.url ?? "";
    const load = hasShortBody(request) ? routes.get(path) : undefined;
    if (!load) return next(request, response);
    load()
      .then(({ POST }) => POST(callRequest(request)))
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
  const takesGzip = request.headers["accept-encoding"]?.split(",").some((one) => one.trim() === "gzip");
  const isZipped = takesGzip && plain.length >= worthZipping;
  const body = isZipped ? await zipped(plain) : plain;
  // Node drops a body that nobody has begun to read, but not the rest of one that stalled.
  if (request.readableDidRead && !request.complete) response.shouldKeepAlive = false;
  response.setHeaders(answer.headers);
  response.setHeader("Vary", "Accept-Encoding");
  if (isZipped) response.setHeader("Content-Encoding", "gzip");
  response.writeHead(answer.status, { "Content-Length": body.length }).end(body);
}
