import "server-only";
import { createHash, randomBytes } from "node:crypto";

const length = 30;
const shape = new RegExp(`^[\\w-]{${length}}`);

/**
 * By which the reader of a message stops others of its sort: 22 random bytes as base64url. So many end in a letter, since some
 * phones drop a '-' or '_' from the end of a link.
 */
export function makeStopCode(): string {
  return randomBytes(22).toString("base64url");
}

/** Whether it can be one, as a message carries it: perhaps with a full stop behind it. */
export function isStopCode(text: unknown): text is string {
  return typeof text === "string" && shape.test(text);
}

/** Of the page that stops messages: where mail programs do it by themselves, with a POST, which no page takes (RFC 8058). */
export function oneClick(page: string): string {
  return page.replace("/stop?", "/api/messages/stop?");
}

/** As the database keeps it. */
export function stopHash(code: string): string {
  return createHash("sha256").update(code.slice(0, length)).digest("hex");
}
