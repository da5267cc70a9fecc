import { createServer, STATUS_CODES } from "node:http";
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import next from "next";
import "./env-files.cjs";
import { isThisMachine } from "./this-machine.mjs";

// `npm start`: Next behind Node's own server, for what Next cannot do (docs/decisions/custom-server.md).

const { HOST, PORT, APP_URL = "", SHUTDOWN_DELAY_MS } = process.env;
const port = Number(PORT || 3000);
const delayMs = Number(SHUTDOWN_DELAY_MS || (!APP_URL || isThisMachine(APP_URL) ? 0 : 5000));
/** A call may read its body for 10 s, and then waits for the database. */
const longestMs = 15_000;
const silenceMs = 1000;

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

if (!(Number.isInteger(port) && port >= 1 && port <= 65_535))
  fail("A setting cannot be used.\nPORT: is not a whole number from 1 to 65535");
const app = next({ dev: false, hostname: HOST, port });
await app.prepare();
const answerByNext = app.getRequestHandler();
const server = createServer({ keepAliveTimeout: 75_000 }, answer);
server.on("checkContinue", (request, response) => {
  if (isCall(request)) response.writeContinue();
  answer(request, response);
});
server.on("clientError", refuseGarbage);
server.on("error", ({ code }) => fail(`Port ${port} cannot be listened on (${code}).`));
server.listen(port, HOST || undefined);

let accepted = 0;
let open = 0;
let isEnding = false;
server.on("connection", () => (accepted += 1));
const hurry = new AbortController();
process.on("SIGTERM", shutDown);
process.on("SIGINT", () => {
  hurry.abort();
  void shutDown();
});

function answer(request, response) {
  open += 1;
  response.once("close", () => (open -= 1));
  // Next answers an absolute target (RFC 9112, section 3.2.2) with 500, and '//?token=…' with a redirect that repeats the token.
  const path = request.url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*\/?/i, "/");
  request.url = path.replace(/^[^?]*/, (part) => part.replace(/[\\/]{2,}/g, "/"));
  const { "x-forwarded-for": forwarded } = request.headers;
  request.headers["x-forwarded-for"] = [forwarded, request.socket.remoteAddress].filter(Boolean).join(", ");
  for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
  // Next keeps this header where it is set, and would let a file be stored: so a file, whose path ends in .js say, gets none.
  if (!/^[^?]*\.\w+(\?|$)/.test(request.url)) response.setHeader("Cache-Control", "no-store");
  if (isEnding) response.setHeader("Connection", "close");
  if (isEnding && /^\/api\/ready(\?|$)/.test(request.url))
    return response.writeHead(503, { "Content-Type": "application/json" }).end('{"status":"ending"}');
  if (!isCall(request) && request.method !== "GET" && request.method !== "HEAD")
    return response.writeHead(405, { Allow: "GET, HEAD", Connection: "close" }).end("This page takes GET and HEAD only.\n");
  // Next answers 500 to a TRACE; as OPTIONS, a call refuses it.
  if (request.method === "TRACE") request.method = "OPTIONS";
  void answerByNext(request, response);
}

/** Route handlers refuse methods themselves. A path with dots or escapes may lead Next to a page. */
function isCall({ url }) {
  return /^\/api(?:\/[\w/-]*)?(?:\?|$)/.test(url);
}

/** What is no HTTP reaches no handler: Node would answer without any header. */
function refuseGarbage({ code }, socket) {
  if (!socket.writable || socket.bytesWritten > 0) return socket.destroy();
  const status = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }[code] ?? 400;
  const headers = { ...securityHeaders, "Cache-Control": "no-store", "Content-Length": 0, Connection: "close" };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n`);
}

/** Serves on for the delay, takes what waits in the kernel's backlog, closes the listener and waits for what is open. */
async function shutDown() {
  if (isEnding) return;
  isEnding = true;
  // Work to finish first, such as a message that is being sent (prepare-server.ts).
  const finished = Promise.allSettled(process.listeners("shutdown").map((finish) => finish()));
  await sleep(delayMs, undefined, { signal: hurry.signal }).catch(() => {});
  const deadline = Date.now() + longestMs;
  await takeBacklog(deadline);
  let isClosed = false;
  server.close(() => (isClosed = true));
  // A connection without a request, as browsers open in advance, is given up after a second without any.
  for (let quietMs = 0; !isClosed && quietMs < silenceMs && Date.now() < deadline; quietMs += 20) {
    await sleep(20);
    if (open > 0) quietMs = 0;
  }
  await Promise.race([finished, sleep(longestMs)]);
  process.exit(0);
}

/** Node accepts one connection per turn of its event loop, and closing the listener resets the rest: so wait for a short turn without one. */
async function takeBacklog(deadline) {
  for (let isEmpty = false; !isEmpty && Date.now() < deadline; ) {
    const [before, begun] = [accepted, performance.now()];
    await turn();
    isEmpty = accepted === before && performance.now() - begun < 1;
  }
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
