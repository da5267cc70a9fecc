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
 * Notes for Next's rules whether the build has left a `.br` copy of the file that is asked for. They cannot look for
 * themselves (docs/decisions/brotli.md). What a client sends under this name is overwritten.
 */
export function noteBrotliCopy(request: IncomingMessage): void {
  const [, name] = request.url?.match(/^\/_next\/static\/chunks\/([^/?]+)(?:\?|$)/) ?? [];
  request.headers[copyHeader] = copies.has(`${name}.br`) ? "yes" : "";
}
