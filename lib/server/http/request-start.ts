import "server-only";
import { subscribe } from "node:diagnostics_channel";
import { type IncomingMessage, Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { noteBrotliCopy } from "@/lib/server/files/brotli-copies";
import { compressWhole } from "@/lib/server/files/whole-page";
import { type Routes, standBeforeNext } from "./before-next";
import { noteSocketAddress } from "./client-address";
import { setFirstHeaders } from "./first-headers";
import { lastOnItsConnection, noteConnection } from "./lame-duck";
import { refuseOtherMethods } from "./page-methods";
import { noteResponse } from "./page-status";
import { answerParserErrors } from "./parser-errors";

/**
 * Next answers '//?token=…' with a redirect to '/?token=…', before proxy.ts sees it: the token's address would be asked for
 * twice, and logged twice by what is in front.
 */
function joinSlashes(request: IncomingMessage): void {
  request.url = request.url?.replace(/^[^?]*/, (path) => path.replace(/[\\/]{2,}/g, "/"));
}

/**
 * A proxy is asked for 'http://host/path', and Next answers that with a bare 500. A server has to take it (RFC 9112, section
 * 3.2.2): as the path, whatever host it names.
 */
function takePath(request: IncomingMessage): void {
  request.url = request.url?.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*\/?/i, "/");
}

/** Node publishes each request on this channel before Next sees it. For what Next cannot do itself. */
export function prepareRequests(routes: Routes = new Map()): void {
  subscribe("net.server.socket", (message) => {
    const { server } = (message as { socket: Socket & { server?: unknown } }).socket;
    if (!(server instanceof Server)) return;
    answerParserErrors(server);
    noteConnection(server);
    standBeforeNext(server, routes);
  });
  subscribe("http.server.request.start", (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    takePath(request);
    joinSlashes(request);
    noteSocketAddress(request);
    noteBrotliCopy(request);
    setFirstHeaders(request, response);
    compressWhole(response);
    refuseOtherMethods(request, response);
    noteResponse(request, response);
    lastOnItsConnection(response);
  });
}
