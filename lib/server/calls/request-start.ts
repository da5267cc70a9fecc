import "server-only";
import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import { noteBrotliCopy } from "@/lib/server/files/brotli-copies";
import { noteSocketAddress } from "./client-address";
import { setFirstHeaders } from "./first-headers";

/**
 * Next answers '//?token=…' with a redirect to '/?token=…', before proxy.ts sees it: the token's address would be asked for
 * twice, and logged twice by what is in front.
 */
function joinSlashes(request: IncomingMessage): void {
  request.url = request.url?.replace(/^[^?]*/, (path) => path.replace(/[\\/]{2,}/g, "/"));
}

/** Runs before Next sees a request, for what Next cannot do. */
export function prepareRequests(): void {
  subscribe("http.server.request.start", (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    joinSlashes(request);
    noteSocketAddress(request);
    noteBrotliCopy(request);
    setFirstHeaders(request, response);
  });
}
