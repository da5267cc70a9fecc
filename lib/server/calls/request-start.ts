import "server-only";
import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import { noteBrotliCopy } from "@/lib/server/files/brotli-copies";
import { noteSocketAddress } from "./client-address";
import { setFirstHeaders } from "./first-headers";

/** Node publishes each request on this channel before Next sees it. For what Next cannot do itself. */
export function prepareRequests(): void {
  subscribe("http.server.request.start", (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    noteSocketAddress(request);
    noteBrotliCopy(request);
    setFirstHeaders(request, response);
  });
}
