import "server-only";
import { readdirSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { copyHeader } from "./brotli-rules.mjs";

const copies = findCopies();

function findCopies(): Set<string> {
  if (process.env.NODE_ENV !== "production") return new Set();
  return new Set(readdirSync(".next/static/chunks").filter((name) => name.endsWith(".br")));
}

/**
 * Tells Next's rules, in a header, whether the build has left a `.br` copy of the requested file: they cannot check for
 * a file themselves (docs/decisions/brotli.md). A header of that name from the client is overwritten.
 */
export function noteBrotliCopy(request: IncomingMessage): void {
  const [, name] = request.url?.match(/^\/_next\/static\/chunks\/([^/?]+)(?:\?|$)/) ?? [];
  request.headers[copyHeader] = copies.has(`${name}.br`) ? "yes" : "";
}
