import type { ApplicationView, ConsentAnswers, Receipt, StepAnswers } from "@/lib/domain/application";
import type { AnswerStep } from "@/lib/domain/journey";
import type { Outdated, Reviewed } from "@/lib/domain/reviewed";
import { pageSource, pageToken } from "./browser-storage";

/** Request timeout of the specification (section 9). */
export const timeoutMilliseconds = 100_000;

/** Replaces AbortSignal.timeout, which needs Safari 16 or Chrome 103. */
function timeLimit(): AbortSignal {
  const limit = new AbortController();
  setTimeout(() => limit.abort(), timeoutMilliseconds);
  return limit.signal;
}

/** A response with its parsed body, which is null if it is not JSON. */
interface ParsedResponse {
  response: Response;
  body: {
    success?: boolean;
    message?: string;
    errors?: Record<string, string>;
    data?: { step?: AnswerStep } & Partial<Outdated>;
  } | null;
}

/** A call in progress. Only the time limit aborts its signal. */
interface PendingCall {
  parsed: Promise<ParsedResponse>;
  signal: AbortSignal;
}

declare global {
  interface Window {
    /** The verification that the page's inline script has sent (opening-script.ts). */
    earlyVerification?: PendingCall & { token: string };
  }
}

export const verificationUrl = "/api/v1/user/verify-token";

/** Returns the inline script's pending call, once. Undefined if the script sent nothing or a different token. */
function takeEarlyVerification(token: string): PendingCall | undefined {
  const early = window.earlyVerification;
  window.earlyVerification = undefined;
  return early?.token === token ? early : undefined;
}

export interface Failure {
  success: false;
  /** The HTTP status. Null if the server did not respond: `noResponse` says why, unless a page that is not ours came. */
  status: number | null;
  noResponse?: "no-token" | "no-network" | "timeout";
  message: string;
  /** A message for each field that the server refused. */
  errors?: Record<string, string>;
  /** The first incomplete step, if a submission was refused because of it. */
  incompleteStep?: AnswerStep;
  /** Set if the answers or the consent text have changed since the applicant reviewed them. */
  outdated?: Outdated;
  /** The beginning of X-Request-Id, by which support finds the log line. Set only if the server failed. */
  requestId?: string;
  retryAfterSeconds?: number;
}

export type CallResult<T> = { success: true; message?: string; data: T } | Failure;

/** Long enough to identify one call among those of a year, and short enough to read out. */
const requestIdLength = 8;

function post(url: string, body: Record<string, unknown>): PendingCall {
  const signal = timeLimit();
  const parsed = fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal,
  }).then(async (response) => ({ response, body: await response.json().catch(() => null) }));
  return { parsed, signal };
}

/**
 * Sends a POST to the API with this page's token. `fallback` is the message if the server sends none (specification, section
 * 8). `takeEarly` returns the same call if an earlier script has already sent it. A retry passes the `token` of the first try,
 * and is not sent if the page has another one now.
 */
async function call<T>(
  path: string,
  body: Record<string, unknown>,
  fallback: string,
  takeEarly?: (token: string) => PendingCall | undefined,
  token = pageToken(),
): Promise<CallResult<T>> {
  if (!token || token !== pageToken())
    return { success: false, status: null, noResponse: "no-token", message: "No token found" };
  return resultOf(takeEarly?.(token) ?? post(`/api/v1/user/${path}`, { token, ...body }), fallback);
}

async function resultOf<T>(pending: PendingCall, fallback: string): Promise<CallResult<T>> {
  let parsed: ParsedResponse;
  try {
    parsed = await pending.parsed;
  } catch {
    // The signal shows the reason, because browsers reject an aborted fetch with different errors.
    const noResponse = pending.signal.aborted ? "timeout" : "no-network";
    return { success: false, status: null, noResponse, message: fallback };
  }
  const { response, body } = parsed;
  if (response.ok && body?.success) return body as CallResult<T>;
  // Every response of the server is JSON. A maintenance page is not, and says nothing about the token.
  if (response.ok && !body) return { success: false, status: null, message: fallback };
  const retryAfter = Number(response.headers.get("retry-after"));
  return {
    success: false,
    status: response.status,
    message: body?.message || fallback,
    errors: body?.errors,
    incompleteStep: body?.data?.step,
    outdated: body?.data?.changed && (body.data as Outdated),
    requestId: response.status >= 500 ? response.headers.get("x-request-id")?.slice(0, requestIdLength) : undefined,
    retryAfterSeconds: retryAfter > 0 ? retryAfter : undefined,
  };
}

export function verifyToken(): Promise<CallResult<ApplicationView>> {
  return call("verify-token", { source: pageSource() }, "Token verification failed", takeEarlyVerification);
}

/** During a deployment, the previous version may answer a save. Its response has no application. */
export function submitStep<S extends AnswerStep>(
  step: S,
  data: StepAnswers[S],
  token?: string | null,
): Promise<CallResult<ApplicationView | undefined>> {
  return call(`submit-step-${step}`, { data }, `Step ${step} submission failed`, undefined, token);
}

export function submitFinal(
  data: ConsentAnswers & { reviewed: Reviewed },
  token?: string | null,
): Promise<CallResult<Receipt>> {
  return call("submit-final", { data }, "Final submission failed", undefined, token);
}

/** The receipt as evidence-verify.mjs reads it. Only the fields that the page shows are declared. All can be downloaded. */
export interface EvidenceReceipt {
  leaf: { index: number; hash: string };
  /** The head of the log that was sent with the submission's messages. Unlike the current head, it stays the same. */
  first: { head: { root: string; at: string; signature?: string } };
}

export function loadEvidence(): Promise<CallResult<EvidenceReceipt | null>> {
  return call("receipt", {}, "Your receipt couldn't be loaded");
}

/** The response does not reveal whether the token was ever valid. */
export function requestFreshLink(token: string) {
  return resultOf(post("/api/v1/user/fresh-link", { token }), "We couldn't send you a fresh link");
}

/** Sends the code in this page's address, which comes from the link in the message. */
export function stopMessages() {
  return resultOf(post(`/api/messages/stop${window.location.search}`, {}), "We couldn't stop the messages");
}

/** What a person can do after a failed call. */
export function retryAdvice({ noResponse, retryAfterSeconds }: Failure): string {
  if (noResponse) return "Check your connection and try again.";
  return retryAfterSeconds ? `Try again in ${inWords(retryAfterSeconds)}.` : "Try again in a moment.";
}

/** Formats a waiting time: '40 seconds', '7 minutes'. */
function inWords(seconds: number): string {
  const [count, unit] = seconds < 60 ? [seconds, "second"] : [Math.ceil(seconds / 60), "minute"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
