import "server-only";
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Outcome } from "@/lib/server/messages/outcome";
import type { Sending } from "@/lib/server/settings";

export type SmsSettings = NonNullable<Sending["sms"]>;

export interface Sms {
  /** The message's, which providers repeat in their reports where they can. */
  id: string;
  /** Digits, dial code first. */
  to: string;
  text: string;
}

/** A POST. */
export interface SmsRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** A provider's call: a message of ours, or a person's answer to one. */
export type Report =
  | { type: "message"; ids: unknown[]; state: "delivered" | "failed"; code?: unknown }
  | { type: "reply"; from: string; text: string };

/** A provider's call, with what its signature covers. */
export interface ReportCall {
  /** As the provider knows it. */
  url: URL;
  headers: Headers;
  body: Uint8Array;
  /** Of the body, a form or JSON. */
  fields: Record<string, unknown>;
}

/** One provider's way of taking a message, answering, and reporting later what became of it. */
export interface Adapter {
  /** `reportsTo` is absent where nobody could call it. */
  request(sms: SmsSettings, message: Sms, reportsTo: URL | undefined): SmsRequest;
  /** What an answer of 2xx means. */
  accepted(answer: unknown): Outcome;
  /** The provider's code for a refusal. */
  refusalCode(answer: unknown): unknown;
  /** What proves that a call is the provider's. Absent: reports are not taken. */
  reportSecret(sms: SmsSettings): string | undefined;
  isGenuine(call: ReportCall, secret: string): boolean;
  report(call: ReportCall): Report | undefined;
}

/** An answer that does not say what became of the message, though it is no refusal. */
export const unclear: Outcome = { state: "unknown", error: "answer not understood" };

export function basicAuthorization({ account, secret }: SmsSettings): string {
  return `Basic ${Buffer.from(`${account}:${secret}`).toString("base64")}`;
}

/** SMS_URL in place of the provider's own address, without a slash at the end. */
export function baseUrl({ url }: SmsSettings, own: string): string {
  return (url ?? own).replace(/(?<!\/)\/+$/, "");
}

/** What a provider calls a message, if it looks like an id; it is kept, and compared with what reports say. */
export function asId(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? matching(/^[\w.:@-]{1,100}$/, value) : undefined;
}

/** A provider's code, if it looks like one: its texts quote numbers and messages. Digits alone end before a number would begin. */
export function asCode(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number"
    ? matching(/^(\d{1,6}|[A-Za-z][A-Za-z_-]{0,39})$/, value)
    : undefined;
}

function matching(shape: RegExp, value: string | number): string | undefined {
  const text = String(value);
  return shape.test(text) ? text : undefined;
}

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
