import type { ApplicationView, ConsentAnswers, StepAnswers } from "@/lib/domain/application";
import type { AnswerStep } from "@/lib/domain/journey";
import type { Outdated, Reviewed } from "@/lib/domain/reviewed";
import { pageSource, pageToken } from "./browser-storage";

/** Request timeout of the specification (section 9). */
export const timeoutMilliseconds = 100_000;

/** As AbortSignal.timeout, which Safari has since 16 and Chrome since 103. */
function timeLimit(): AbortSignal {
  const limit = new AbortController();
  setTimeout(() => limit.abort(), timeoutMilliseconds);
  return limit.signal;
}

/** A response with its parsed body; null where the body is not JSON. */
interface Answered {
  response: Response;
  answer: {
    success?: boolean;
    message?: string;
    errors?: Record<string, string>;
    data?: { step?: number } & Partial<Outdated>;
  } | null;
}

/** A call under way. Its signal is aborted by the time limit alone. */
interface Sent {
  answered: Promise<Answered>;
  signal: AbortSignal;
}

declare global {
  interface Window {
    /** Sent by the page's inline script (opening-script.ts). */
    earlyVerification?: Sent & { token: string };
  }
}

export const verificationUrl = "/api/v1/user/verify-token";

/** That script's pending response, once. Undefined where it sent nothing, or another token. */
function takeEarlyVerification(token: string): Sent | undefined {
  const early = window.earlyVerification;
  window.earlyVerification = undefined;
  return early?.token === token ? early : undefined;
}

export interface Failure {
  success: false;
  /** HTTP status. Null when there is no answer; then `unanswered` says why. */
  status: number | null;
  unanswered?: "no-token" | "no-network" | "timeout";
  message: string;
  /** A message for each field the server refused. */
  errors?: Record<string, string>;
  /** The first incomplete step, when a submission is refused for it. */
  incompleteStep?: number;
  /** What was read is not what would have been submitted. */
  outdated?: Outdated;
  /** The beginning of X-Request-Id, with which support finds the log line. Only where the server has failed. */
  requestId?: string;
  retryAfterSeconds?: number;
}

export type Answer<T> = { success: true; message?: string; data: T } | Failure;

export interface Receipt {
  reference: string;
  status: ApplicationView["status"];
  submittedAt: string;
}

/** Enough to find one call among a year's, and short enough to be read out. */
const requestIdLength = 8;

function post(url: string, body: Record<string, unknown>): Sent {
  const signal = timeLimit();
  const answered = fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal,
  }).then(async (response) => ({ response, answer: await response.json().catch(() => null) }));
  return { answered, signal };
}

/**
 * One POST to the API with this page's token. `fallback` is the message when the server gives none (specification, section 8).
 * `begun` returns the same call where an earlier script has already sent it.
 */
async function call<T>(
  path: string,
  body: Record<string, unknown>,
  fallback: string,
  begun?: (token: string) => Sent | undefined,
): Promise<Answer<T>> {
  const token = pageToken();
  if (!token) return { success: false, status: null, unanswered: "no-token", message: "No token found" };
  return answerOf(begun?.(token) ?? post(`/api/v1/user/${path}`, { token, ...body }), fallback);
}

/** One POST to any call, with nothing of this page's session. */
function ask(url: string, body: Record<string, unknown>, fallback: string): Promise<Answer<undefined>> {
  return answerOf(post(url, body), fallback);
}

async function answerOf<T>(sent: Sent, fallback: string): Promise<Answer<T>> {
  let answered: Answered;
  try {
    answered = await sent.answered;
  } catch {
    // By the signal: which error a fetch rejects with after an abort differs between browsers.
    const unanswered = sent.signal.aborted ? "timeout" : "no-network";
    return { success: false, status: null, unanswered, message: fallback };
  }
  const { response, answer } = answered;
  if (response.ok && answer?.success) return answer as Answer<T>;
  const retryAfter = Number(response.headers.get("retry-after"));
  return {
    success: false,
    status: response.status,
    message: answer?.message || fallback,
    errors: answer?.errors,
    incompleteStep: answer?.data?.step,
    outdated: answer?.data?.changed && (answer.data as Outdated),
    requestId: response.status >= 500 ? response.headers.get("x-request-id")?.slice(0, requestIdLength) : undefined,
    retryAfterSeconds: retryAfter > 0 ? retryAfter : undefined,
  };
}

export function verifyToken(): Promise<Answer<ApplicationView>> {
  return call("verify-token", { source: pageSource() }, "Token verification failed", takeEarlyVerification);
}

/** While a deployment is under way, the version before may answer: its saves answer with no application. */
export function submitStep<S extends AnswerStep>(
  step: S,
  data: StepAnswers[S],
): Promise<Answer<ApplicationView | undefined>> {
  return call(`submit-step-${step}`, { data }, `Step ${step} submission failed`);
}

export function submitFinal(data: ConsentAnswers & { reviewed: Reviewed }): Promise<Answer<Receipt>> {
  return call("submit-final", { data }, "Final submission failed");
}

/** The receipt as evidence-verify.mjs reads it: what its page shows of it, and the rest to be downloaded. */
export interface EvidenceReceipt {
  leaf: { index: number; hash: string };
  /** The head of the log that left with the submission's messages: unlike the present one, it stays the same. */
  first: { head: { root: string; at: string; signature?: string } };
}

export function loadEvidence(): Promise<Answer<EvidenceReceipt | null>> {
  return call("receipt", {}, "Your receipt couldn't be loaded");
}

/** What this page was refused with. It is in the page's memory alone: after a reload nobody knows it. */
export function refusedToken(): string | null {
  return typeof window === "undefined" ? null : (window.refused ?? null);
}

/** The answer does not say whether the token was ever ours. */
export function askForFreshLink(token: string) {
  return ask("/api/v1/user/fresh-link", { token }, "We couldn't send you a fresh link");
}

/** With the code in this page's address, which the message carried. */
export function stopMessages() {
  return ask(`/api/messages/stop${window.location.search}`, {}, "We couldn't stop the messages");
}

/** How long to wait, as a person says it: '40 seconds', '7 minutes'. */
export function inWords(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? "1 second" : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? "1 minute" : `${minutes} minutes`;
}
