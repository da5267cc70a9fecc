import "server-only";
import type { IncomingMessage, ServerResponse } from "node:http";

const refusal = "/api/page-method";

/**
 * The handlers of the API refuse methods in their own envelope; a path with dots or escapes may lead Next to a page.
 * Development's overlay posts to Next's own paths.
 */
const answersItself = ({ url = "" }: IncomingMessage) =>
  /^\/api(?:\/[\w/-]*)?(?:\?|$)/.test(url) || (process.env.NODE_ENV === "development" && url.startsWith("/__next"));

/**
 * Pages and files are read (GET, HEAD); whatever else they are sent goes to a handler that answers 405 without reading,
 * and the connection ends with it. Before proxy.ts runs, Next would keep up to 10 MB of each body in memory.
 */
export function refuseOtherMethods(request: IncomingMessage, response: ServerResponse): void {
  if (answersItself(request) || request.method === "GET" || request.method === "HEAD") return;
  request.method = "GET";
  request.url = refusal;
  // Otherwise Node asks for the body.
  delete request.headers.expect;
  response.shouldKeepAlive = false;
  closeLater(request);
}

/** Closed while bytes arrive, a connection is reset, and the answer may be lost with it: so leave a second to take it. */
function closeLater(request: IncomingMessage): void {
  const { socket } = request;
  // Of a body that nobody has begun to read, Node would read and drop all.
  request.read(0);
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), 1000).unref();
  };
}
