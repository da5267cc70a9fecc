import { createServer, STATUS_CODES } from "node:http";
import next from "next";
import "./env-files.cjs";
import { shutDownOnSignals } from "./shutdown.mjs";
import { isThisMachine } from "./this-machine.mjs";

// `npm start`: Next on a server of our own, for what Next cannot do (docs/decisions/custom-server.md).

const { HOST, PORT, APP_URL, SHUTDOWN_DELAY_MS } = process.env;
const port = Number(PORT || 3000);
const delayMs = Number(SHUTDOWN_DELAY_MS || (!APP_URL || isThisMachine(APP_URL) ? 0 : 5000));

/** proxy.ts and route handlers replace some. `headers()` of next.config.mjs would not reach Next's redirects and errors. */
const securityHeaders = {
  "Strict-Transport-Security": "max-age=63072000; includeSubDomains",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "X-Frame-Options": "DENY",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()",
  "X-Robots-Tag": "noindex, nofollow",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
};

if (!Number.isInteger(port) || port < 1 || port > 65_535)
  fail("A setting cannot be used.\nPORT: is not a whole number from 1 to 65535");
const app = next({ dev: false, hostname: HOST, port });
await app.prepare();
const answerByNext = app.getRequestHandler();
const server = createServer({ keepAliveTimeout: 75_000, requireHostHeader: false }, answer);
const isEnding = shutDownOnSignals(server, delayMs);
server.on("checkContinue", (request, response) => {
  if (isCall(request)) response.writeContinue();
  server.emit("request", request, response);
});
server.on("clientError", refuseGarbage);
server.on("error", ({ code }) => fail(`Port ${port} cannot be listened on (${code}).`));
server.listen(port, HOST || undefined);

function answer(request, response) {
  normalise(request);
  const isRead = request.method === "GET" || request.method === "HEAD";
  for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
  // Next keeps this header where it is set, also for the files that may be stored: those with a dot in their name.
  const isFile = /^[^?]*\.\w+(\?|$)/.test(request.url);
  if (!isFile) response.setHeader("Cache-Control", "no-store");
  // Next names no charset for the data of a change of page.
  if (request.headers.rsc && !isFile && !isCall(request))
    response.setHeader("Content-Type", "text/x-component; charset=utf-8");
  if (!request.headers.host && request.httpVersion === "1.1") {
    // Node alone would answer without any header.
    response.writeHead(400, { Connection: "close" }).end();
  } else if (isEnding() && /^\/api\/ready(\?|$)/.test(request.url)) {
    response.writeHead(503, { "Content-Type": "application/json" }).end('{"status":"ending"}');
  } else if (!isRead && !isCall(request)) {
    const text = "This page takes GET and HEAD only.\n";
    response.setHeader("Connection", "close");
    const headers = { Allow: "GET, HEAD", "Content-Type": "text/plain; charset=utf-8", "Content-Length": text.length };
    response.writeHead(405, headers).write(text);
    // Nobody reads the body. Ended while it arrives, the connection would be reset, and the answer lost with it.
    setTimeout(() => response.end(), 1000).unref();
  } else {
    void answerByNext(request, response);
  }
}

/** What Next would answer with 500, or with a redirect that repeats a link's token: '//?token=…'. */
function normalise(request) {
  // A target may name scheme and host (RFC 9112, section 3.2.2).
  const target = request.url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*\/?/i, "/");
  request.url = target.replace(/^[^?]*/, (path) => path.replace(/[\\/]{2,}/g, "/"));
  // As OPTIONS, a call refuses it.
  if (request.method === "TRACE") request.method = "OPTIONS";
  // As each proxy in front does: client-address.ts counts from the end.
  const { "x-forwarded-for": forwarded } = request.headers;
  request.headers["x-forwarded-for"] = [forwarded, request.socket.remoteAddress].filter(Boolean).join(", ");
}

/** Route handlers refuse methods themselves. A path with dots or escapes may lead Next to a page. */
function isCall({ url }) {
  return /^\/api(?:\/[\w/-]*)?(?:\?|$)/.test(url);
}

/** What is no HTTP reaches no handler: Node alone would answer without any header. */
function refuseGarbage({ code }, socket) {
  if (!socket.writable || socket.bytesWritten > 0) return socket.destroy();
  const status = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }[code] ?? 400;
  const headers = { ...securityHeaders, "Cache-Control": "no-store", "Content-Length": 0, Connection: "close" };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n`);
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
