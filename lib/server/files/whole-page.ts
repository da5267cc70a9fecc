import "server-only";
import type { ServerResponse } from "node:http";

/**
 * Next flushes its gzip after each of the many pieces in which it renders a page, and what follows a flush is compressed
 * anew: a tenth more bytes. The pieces are milliseconds apart, so this takes the `flush` away that Next's compression sets.
 */
export function compressWhole(response: ServerResponse): void {
  Object.defineProperty(response, "flush", { get: () => undefined, set: () => {} });
}
