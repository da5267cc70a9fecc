import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { currentSettings } from "@/lib/server/settings";

const shape = /^[A-Za-z0-9_-]{43}$/;

/** Links are valid for this many days unless operations choose another number. */
export const linkDays = 30;

/** 32 random bytes as base64url. The token is never stored: only the link contains it. */
export function makeToken(): string {
  return randomBytes(32).toString("base64url");
}

/** SHA-256, which the database stores instead of the token. */
export function hashToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hash("sha256", token, "buffer"));
}

/** Compares in constant time, whatever the lengths. */
export function isSameSecret(received: string, expected: string): boolean {
  const digest = (text: string) => hash("sha256", text, "buffer");
  return timingSafeEqual(digest(received), digest(expected));
}

/** Whether a value has the form of a token. Anything else is refused without a query. */
export function isTokenShaped(text: unknown): text is string {
  return typeof text === "string" && shape.test(text);
}

/** Selects the links that work. Callers pass the database's time, so that all processes agree on the expiry. */
export const liveAt = (now: Date) => ({ revokedAt: null, expiresAt: { gt: now } });

export function linkTo(token: string, source: string): string {
  const parameters = new URLSearchParams(source ? { token, source } : { token });
  return `${currentSettings().appUrl}/?${parameters}`;
}
