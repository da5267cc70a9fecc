import "server-only";
import { createHash, randomBytes } from "node:crypto";

const shape = /^[\w-]{32}/;

/** By which the reader of a message stops others of its sort: 24 random bytes as base64url. */
export function makeStopCode(): string {
  return randomBytes(24).toString("base64url");
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
  return createHash("sha256").update(code.slice(0, 32)).digest("hex");
}
