import type { ApplicationView, ConsentAnswers, Receipt, StepAnswers } from "@/lib/domain/application";
import { type AnswerStep, answerSteps } from "@/lib/domain/journey";
import type { Outdated, Reviewed } from "@/lib/domain/reviewed";
import { pageSource, pageToken } from "./browser-storage";

/** Request timeout of the specification (section 9). */
export const timeoutMilliseconds = 100_000;

/** The body of a response. Null if it is not JSON. */
type Body = {
  success?: boolean;
  message?: string;
  errors?: Record<string, string>;
  data?: { step?: AnswerStep } & Partial<Outdated>;
} | null;

/** A call in progress. Only the time limit aborts its signal. */
interface PendingCall {
  response: Promise<Response>;
  signal: AbortSignal;
}

declare global {
  interface Window {
    /** The verification that the page's inline script has sent (opening-script.ts). */
    earlyVerification?: PendingCall & { token: string };
  }
}

export const verificationUrl = "/api/v1/user/verify-token";

export interface Failure {
  success: false;
  /** The HTTP status. Null if the server did not respond: `noResponse` says why, unless the response was not ours. */
  status: number | null;
  /** `offline`: nothing was sent, because the device had no network. */
  noResponse?: "no-token" | "no-network" | "timeout" | "offline";
  message: string;
  /** The response does not have the form of ours, so a proxy, a firewall or a captive portal has sent it. */
  isUnrecognised?: boolean;
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
  // Not AbortSignal.timeout, which needs Safari 16 or Chrome 103.
  const limit = new AbortController();
  setTimeout(() => limit.abort(), timeoutMilliseconds);
  const { signal } = limit;
  const headers = { "content-type": "application/json" };
  return { response: fetch(url, { method: "POST", headers, body: JSON.stringify(body), signal }), signal };
}

/**
 * Sends a POST to the API with this page's token. `fallback` is the message of a failed call if the server sends none; a 200
 * without success has an empty one (specification, section 8). A retry passes the `token` of the first try, and is not sent if the
 * page has another one now. `early` is the same call if an earlier script has already sent it.
 */
async function call<T>(
  path: string,
  body: Record<string, unknown>,
  fallback: string,
  token = pageToken(),
  early?: PendingCall & { token: string },
): Promise<CallResult<T>> {
  if (!token || token !== pageToken())
    return { success: false, status: null, noResponse: "no-token", message: "No token found" };
  return resultOf(early?.token === token ? early : post(`/api/v1/user/${path}`, { token, ...body }), fallback);
}

/** Text that is not JSON is a SyntaxError. Any other error means that the connection ended before the whole response came. */
function nullUnlessCutOff(error: Error): null {
  if (error.name === "SyntaxError") return null;
  throw error;
}

async function resultOf<T>(pending: PendingCall, fallback: string): Promise<CallResult<T>> {
  let response: Response;
  let body: Body;
  try {
    response = await pending.response;
    body = await response.json().catch(nullUnlessCutOff);
  } catch {
    // The signal shows the reason, because browsers reject an aborted fetch with different errors.
    const noResponse = pending.signal.aborted ? "timeout" : "no-network";
    return { success: false, status: null, noResponse, message: fallback };
  }
  if (response.ok && body?.success) return body as CallResult<T>;
  const isUnrecognised = typeof body?.success !== "boolean";
  // A gateway's JSON may have another shape.
  const message = typeof body?.message === "string" ? body.message : "";
  // A maintenance page says nothing about the token.
  if (response.ok && !body) return { success: false, status: null, message: fallback, isUnrecognised };
  const retryAfter = Number(response.headers.get("retry-after"));
  return {
    success: false,
    status: response.status,
    message: message || (response.ok ? "" : fallback),
    isUnrecognised,
    errors: body?.errors,
    // A newer server may name a step that this page does not have.
    incompleteStep: answerSteps.find((step) => step === body?.data?.step),
    outdated: body?.data?.changed && (body.data as Outdated),
    requestId: response.status >= 500 ? response.headers.get("x-request-id")?.slice(0, requestIdLength) : undefined,
    retryAfterSeconds: retryAfter > 0 ? retryAfter : undefined,
  };
}

export async function verifyToken(): Promise<CallResult<ApplicationView>> {
  const early = window.earlyVerification;
  // A retry sends a call of its own.
  window.earlyVerification = undefined;
  const message = "Token verification failed";
  const result = await call<ApplicationView>("verify-token", { source: pageSource() }, message, pageToken(), early);
  // There is nothing to show without the application. A retry may get it.
  return result.success && !result.data?.reference ? { success: false, status: null, message } : result;
}

/** Says that the page of a link is shown. If the call fails, the next one counts as the opening. */
export function reportOpening(): Promise<CallResult<undefined>> {
  return call("opened", {}, "");
}

/** The response has the saved application, which the specification (section 7) does not require. */
export function submitStep<S extends AnswerStep>(
  step: S,
  data: StepAnswers[S],
  token?: string | null,
): Promise<CallResult<ApplicationView | undefined>> {
  return call(`submit-step-${step}`, { data }, `Step ${step} submission failed`, token);
}

export function submitFinal(
  data: ConsentAnswers & { reviewed: Reviewed },
  token?: string | null,
): Promise<CallResult<Receipt | undefined>> {
  return call("submit-final", { data }, "Final submission failed", token);
}

/** The receipt as evidence-verify.mjs reads it. Only the fields that the page shows are declared. All can be downloaded. */
export interface EvidenceReceipt {
  leaf: { index: number; hash: string };
  /** The head of the log that was sent with the submission's messages. Unlike the current head, it stays the same. */
  first: { head: { size: number; root: string; at: string; key?: string; signature?: string } };
}

export function loadEvidence(): Promise<CallResult<EvidenceReceipt | null>> {
  return call("receipt", {}, "Your receipt couldn't be loaded");
}

/** The response does not reveal whether the token was ever valid. */
export function requestFreshLink(token: string) {
  return resultOf(post("/api/v1/user/fresh-link", { token }), "We couldn't send you a new link");
}

/** Sends the code in this page's address, which comes from the link in the message. */
export function stopMessages() {
  return resultOf(post(`/api/messages/stop${window.location.search}`, {}), "We couldn't stop the messages");
}

export function retryAdvice({ noResponse, retryAfterSeconds }: Failure): string {
  if (noResponse) return "Check your connection and try again.";
  return retryAfterSeconds ? `Try again in ${inWords(retryAfterSeconds)}.` : "Try again in a moment.";
}

/** Formats a waiting time: '40 seconds', '7 minutes'. */
function inWords(seconds: number): string {
  const [count, unit] = seconds < 60 ? [seconds, "second"] : [Math.ceil(seconds / 60), "minute"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
