import { existsSync } from "node:fs";
import { createServer, STATUS_CODES } from "node:http";
import next from "next";
import { logConsoleAsJson, printError } from "../json-console.mjs";
import { isThisMachine } from "../this-machine.mjs";
import { isTooLong, normalise } from "./normalise-request.mjs";
import { shutDownOnSignals } from "./shutdown.mjs";

// `npm start` runs Next on a custom HTTP server, which does what Next cannot (docs/decisions/custom-server.md).

logConsoleAsJson();
await import("../start-process.cjs").catch(({ message }) => fail(message));

const { APP_URL, SHUTDOWN_DELAY_MS } = process.env;
const isDesk = process.env.RENT_PROCESS === "desk";
const [portName, defaultPort] = isDesk ? ["DESK_PORT", 3100] : ["PORT", 3000];
const port = Number(process.env[portName] || defaultPort);
const host = isDesk ? process.env.DESK_HOST || "127.0.0.1" : process.env.HOST;
const delayMs = Number(SHUTDOWN_DELAY_MS || (!APP_URL || isThisMachine(APP_URL) ? 0 : 5000));

/** `headers()` in next.config.mjs would not cover Next's redirects and errors. proxy.ts and route handlers replace some. */
const securityHeaders = {
  "Strict-Transport-Security": "max-age=63072000; includeSubDomains",
  "X-Content-Type-Options": "nosniff",
  // With no-referrer, a form of the desk that is sent without scripts would carry 'Origin: null'.
  "Referrer-Policy": isDesk ? "same-origin" : "no-referrer",
  "X-Frame-Options": "DENY",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()",
  "X-Robots-Tag": "noindex, nofollow",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
};

if (!Number.isInteger(port) || port < 1 || port > 65_535)
  fail(`Invalid settings:\n${portName}: is not a whole number from 1 to 65535`);
if (!existsSync(`${isDesk ? ".next-desk" : ".next"}/BUILD_ID`)) fail("There is no build: run 'npm run build' first.");
// Next listens for 'upgrade' on the server it is given, and would leave such requests unanswered. This one never listens.
const app = next({ dev: false, hostname: host, port, httpServer: createServer() });
await app.prepare();
const answerByNext = app.getRequestHandler();
/** Lets 64 kB of cookies pass, which a lender's other sites may set for its whole domain. */
const maxHeaderSize = 80 * 1024;
const server = createServer({ keepAliveTimeout: 75_000, maxHeaderSize, requireHostHeader: false }, answer);
const isEnding = shutDownOnSignals(server, delayMs);
server.on("checkContinue", (request, response) => {
  if (isCall(request)) response.writeContinue();
  server.emit("request", request, response);
});
// Node's own response, 417, would have none of the security headers. RFC 9110, section 10.1.1, allows any expectation to be ignored.
server.on("checkExpectation", (request, response) => server.emit("request", request, response));
server.on("clientError", refuseMalformed);
server.on("error", ({ code }) => fail(`Cannot listen on port ${port} (${code}).`));
server.listen(port, host || undefined);

function answer(request, response) {
  const requested = request.url;
  normalise(request);
  const isRead = request.method === "GET" || request.method === "HEAD";
  for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
  // Next never overwrites this header, so files that may be cached, whose names contain a dot, must not get it.
  const isFile = /^[^?]*\.\w+(\?|$)/.test(request.url);
  if (!isFile) response.setHeader("Cache-Control", "no-store");
  // Next sends no charset with the data of a client-side navigation.
  if (request.headers.rsc && !isFile && !isCall(request))
    response.setHeader("Content-Type", "text/x-component; charset=utf-8");
  if (!request.headers.host && request.httpVersion === "1.1") {
    // Node's own response would have none of the security headers.
    response.writeHead(400, { Connection: "close" }).end();
  } else if (isEnding() && /^\/api\/ready(\?|$)/.test(request.url)) {
    response.writeHead(503, { "Content-Type": "application/json" }).end('{"status":"ending"}');
  } else if (isTooLong(requested)) {
    const message = "The address is too long";
    refuse(response, 414, isCall(request) ? JSON.stringify({ success: false, message }) : `${message}.\n`, isRead);
  } else if (isDesk && !isOfDesk(request)) {
    refuse(response, 404, "There is nothing at this address.\n", isRead);
  } else if (isDesk && isFromElsewhere(request)) {
    refuse(response, 403, "This request did not come from the desk.\n", isRead);
  } else if (isDesk && isLarge(request)) {
    refuse(response, 413, "The request is too large.\n", isRead);
  } else if (!isDesk && !isRead && !isCall(request)) {
    response.setHeader("Allow", "GET, HEAD");
    refuse(response, 405, "Only GET and HEAD are allowed.\n", isRead);
  } else if (isRead && !isCall(request) && hasExtraSlash(requested)) {
    response.writeHead(308, { Location: request.url }).end();
  } else {
    void answerByNext(request, response);
  }
}

/** Answers without Next, as JSON or as plain text, and ends the connection. */
function refuse(response, status, text, isRead) {
  const type = text.startsWith("{") ? "application/json" : "text/plain; charset=utf-8";
  response.writeHead(status, { Connection: "close", "Content-Type": type, "Content-Length": text.length }).write(text);
  // Nobody reads the body. Ending the response while it arrives would reset the connection and lose the response.
  if (isRead) response.end();
  else setTimeout(() => response.end(), 1000).unref();
}

/** Calls refuse wrong methods themselves. With escapes, or '..' as a segment, Next may resolve a path to a page. */
function isCall({ url }) {
  return /^\/api(?![^?]*\/\.)(?:\/[\w./-]*)?(?:\?|$)/.test(url);
}

/** What the desk serves: its pages and their actions, and, for reading, files and the two checks. Next would resolve a '..'. */
function isOfDesk({ url, method }) {
  const path = url.split("?")[0];
  if (/\/\.+(\/|$)/.test(path)) return false;
  if (/^\/desk(\/[\w.-]+)*$/.test(path)) return ["GET", "HEAD", "POST"].includes(method);
  return (
    (method === "GET" || method === "HEAD") &&
    /^\/(_next\/static\/[\w./~-]+|icon\.svg|favicon\.ico|api\/(health|ready))$/.test(path)
  );
}

/** Next would answer an action of another site with 500. Each action of the desk refuses a request without an Origin itself. */
function isFromElsewhere({ method, headers }) {
  return method === "POST" && headers.origin !== undefined && headers.origin !== deskOrigin();
}

const deskOrigin = () => new URL(process.env.DESK_URL || `http://localhost:${port}`).origin;

/** Next keeps up to 10 MB of a body before the desk checks the session. Browsers state the length of what a form sends. */
function isLarge({ headers }) {
  return "transfer-encoding" in headers || Number(headers["content-length"]) > 1_000_000;
}

/** A page whose address has an extra slash would not know its own path in the browser. proxy.ts redirects links. */
function hasExtraSlash(address) {
  const [path] = address.split("?");
  return /^\/(\/|.*\/$)/.test(path) && !/(?<!\w)(token|source)/i.test(address.replace(/%(?:25)*(?:26|3B|3F)/gi, "&"));
}

/** Malformed HTTP reaches no handler, and Node's own response would have none of the security headers. */
function refuseMalformed({ code }, socket) {
  if (!socket.writable || socket.bytesWritten > 0) return socket.destroy();
  const status = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }[code] ?? 400;
  const headers = { ...securityHeaders, "Cache-Control": "no-store", "Content-Length": 0, Connection: "close" };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n`);
}

function fail(message) {
  printError(message);
  process.exit(1);
}
