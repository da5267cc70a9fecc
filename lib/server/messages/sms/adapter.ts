import "server-only";
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

/** What a provider calls about: a message of ours, or a person's answer to one. */
export type Report =
  | { about: "message"; ids: unknown[]; state: "delivered" | "failed"; code?: unknown }
  | { about: "reply"; from: string; text: string };

/** A provider's call, with what its signature covers. */
export interface ReportCall {
  /** As the provider knows it. */
  url: URL;
  headers: Headers;
  body: Uint8Array;
  /** Of the body, a form or JSON. */
  fields: Record<string, unknown>;
}

/** One provider's way of taking a message, answering, and telling later what became of it. */
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
