import "server-only";
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { ReportCall } from "./adapter";

/** In constant time, whatever the lengths. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** For providers that sign nothing: the secret is part of the address that they were given, as ?key=… */
export function hasKey({ url }: ReportCall, secret: string): boolean {
  return isSame(url.searchParams.get("key") ?? "", secret);
}

/** `x-signature: sha256=…`: the HMAC of the body in hexadecimal digits. */
export function isBodySigned({ headers, body }: ReportCall, secret: string): boolean {
  const signature = createHmac("sha256", secret).update(body).digest("hex");
  return isSame(headers.get("x-signature") ?? "", `sha256=${signature}`);
}

/** Twilio signs the address as it was given to it, followed by every field's name and value, sorted by name. */
export function isSignedByTwilio({ url, headers, fields }: ReportCall, secret: string): boolean {
  const names = Object.keys(fields).sort();
  const signed = `${url.href}${names.map((name) => `${name}${fields[name]}`).join("")}`;
  const signature = createHmac("sha1", secret).update(signed).digest("base64");
  return isSame(headers.get("x-twilio-signature") ?? "", signature);
}
