import "server-only";
import type { IncomingMessage } from "node:http";
import { currentSettings } from "@/lib/server/env";

/** Set by this process from the socket on every request; what a client sends under this name is overwritten. */
const socketHeader = "x-socket-address";

/** Puts the socket's address into a header. Route handlers cannot see the socket, and X-Forwarded-For can be forged. */
export function noteSocketAddress(request: IncomingMessage): void {
  request.headers[socketHeader] = request.socket.remoteAddress ?? "";
}

/**
 * The address of the client. Each proxy appends the address it was called from to X-Forwarded-For, so with N trusted
 * proxies the Nth entry from the right is reliable. With none, only the socket's address is.
 */
export function clientAddress(headers: Headers): string {
  const socket = headers.get(socketHeader) ?? "";
  const { trustedProxies } = currentSettings();
  if (trustedProxies === 0) return socket;
  const forwarded = (headers.get("x-forwarded-for") ?? "").split(",").map((entry) => entry.trim());
  return (forwarded.at(-trustedProxies) || socket).slice(0, 64);
}
