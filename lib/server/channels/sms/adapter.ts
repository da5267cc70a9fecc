import type { Outcome } from "@/lib/server/outbox/outcome";
import type { Sending } from "@/lib/server/settings";

export type SmsSettings = NonNullable<Sending["sms"]>;

export interface Sms {
  /** The id of our message, which providers repeat in their reports where they can. */
  id: string;
  /** E.164 digits: the dial code first, without '+'. */
  to: string;
  text: string;
}

export interface SmsRequest {
  url: string;
  headers: Record<string, string>;
  body: string | URLSearchParams;
}

/** What a provider reports: the final state of one of our messages or, without a state, perhaps a person's reply. */
export interface Report {
  ids: unknown[];
  state: "delivered" | "failed" | undefined;
  code?: unknown;
  from: unknown;
  text: unknown;
  /** The provider itself has recognised the reply as an opt-out, whatever its words are. */
  isOptOut?: boolean;
}

/** A provider's call with everything that its signature may cover. */
interface ReportCall {
  /** The public address, as the provider knows it. */
  url: URL;
  headers: Headers;
  body: Uint8Array;
  fields: Record<string, unknown>;
}

/** How one provider accepts a message, answers, and later reports what became of it. */
export interface Adapter {
  /** `reportsTo` is undefined if the provider could not reach it. */
  request(sms: SmsSettings, message: Sms, reportsTo: URL | undefined): SmsRequest;
  /** Interprets the body of a 2xx response. Undefined if it does not say what became of the message. */
  accepted(body: unknown): Outcome | undefined;
  /** The field of a refusal that has the provider's code. MessageMedia refuses with sentences, which are not stored. */
  refusalField?: string;
  /** Codes of refusals whose cause is the account, its sender or its rate limit, so the message is not given up. */
  accountErrors?: readonly string[];
  /** Codes of refusals whose cause is the recipient's number, so they say nothing about the account. */
  recipientErrors?: readonly string[];
  /** The code with which the provider refuses a number whose owner has opted out. */
  optOutError?: string;
  /** Verifies the signature of a report. Without it, the address that the provider calls contains the secret, as ?key=… */
  isGenuine?(call: ReportCall, secret: string): boolean;
  report(call: ReportCall): Report;
}

export function basicAuthorization({ account, secret }: SmsSettings): string {
  return `Basic ${Buffer.from(`${account}:${secret}`).toString("base64")}`;
}

/** Returns SMS_URL or the provider's default address, without a slash at the end. */
export function baseUrl({ url }: SmsSettings, defaultUrl: string): string {
  return (url ?? defaultUrl).replace(/(?<!\/)\/+$/, "");
}

const matching = (shape: RegExp) => (value: unknown) =>
  (typeof value === "string" || typeof value === "number") && shape.test(String(value)) ? String(value) : undefined;

/** A provider's id of a message, if it looks like an id. It is stored and compared with the ids in reports. */
export const parseProviderId = matching(/^[\w.:@-]{1,100}$/);

/** A provider's code, if it looks like one. Six digits at most, because its texts may quote phone numbers and messages. */
export const parseProviderCode = matching(/^(\d{1,6}|[A-Za-z][A-Za-z_-]{0,39})$/);

/** The state that a provider reports in its own words; undefined if it is not final. */
export function finalState(word: unknown, delivered: string, failures: readonly unknown[]): Report["state"] {
  if (word === delivered) return "delivered";
  return failures.includes(word) ? "failed" : undefined;
}
