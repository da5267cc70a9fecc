import "server-only";
import type { IncomingMessage } from "node:http";
import { currentSettings } from "@/lib/server/env";

/** Set by this process from the socket on every request; what a client sends under this name is overwritten. */
const socketHeader = "x-socket-address";

/** A route handler never sees its socket, and Next hands on whatever X-Forwarded-For a client sends: so the address is noted here. */
export function noteSocketAddress(request: IncomingMessage): void {
  request.headers[socketHeader] = request.socket.remoteAddress ?? "";
}

/**
 * The address of a client. Each trusted proxy appends to X-Forwarded-For the address it was called from, so the entry as
 * many places from the right as there are proxies is the one that can be believed; with none, only the socket is.
 */
export function clientAddress(headers: Headers): string {
  const socket = headers.get(socketHeader) ?? "";
  const { trustedProxies } = currentSettings();
  if (trustedProxies === 0) return socket;
  const forwarded = (headers.get("x-forwarded-for") ?? "").split(",").map((entry) => entry.trim());
  return (forwarded.at(-trustedProxies) || socket).slice(0, 64);
}
