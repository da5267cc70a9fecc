import "server-only";
import { createHash, randomBytes } from "node:crypto";

const shape = /^[A-Za-z0-9_-]{43}$/;

/** 32 random bytes, base64url: it exists only in the link that is sent. */
export function makeToken(): string {
  return randomBytes(32).toString("base64url");
}

/** What the database keeps of a token. */
export function hashToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash("sha256").update(token).digest());
}

/** Whether a text can be a token at all; what cannot need not be looked up. */
export function isTokenShaped(text: unknown): text is string {
  return typeof text === "string" && shape.test(text);
}
