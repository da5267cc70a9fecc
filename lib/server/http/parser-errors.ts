import "server-only";
import { type Server, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { securityHeaders } from "./first-headers";

const statusOf: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** What is no HTTP reaches no handler: Node answers it by itself, as here, but without any header. */
function answer({ code = "" }: NodeJS.ErrnoException, socket: Socket & { _httpMessage?: { headersSent: boolean } }) {
  const begun = socket._httpMessage?.headersSent;
  if (!socket.writable || begun) return socket.destroy();
  const status = statusOf[code] ?? 400;
  const headers = { ...securityHeaders, "Cache-Control": "no-store", "Content-Length": "0", Connection: "close" };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n`, () => socket.destroy());
}

/** Next makes the server, so it is met with its first connection. */
export function answerParserErrors(server: Server): void {
  if (!server.listeners("clientError").includes(answer)) server.on("clientError", answer);
}
