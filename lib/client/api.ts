import type { ApplicationView, ConsentAnswers, StepAnswers } from "@/lib/domain/application";
import type { AnswerStep } from "@/lib/domain/journey";
import type { Outdated, Reviewed } from "@/lib/domain/reviewed";
import { pageSource, pageToken } from "./browser-storage";
import { type Answered, type Sent, takeEarlyVerification } from "./early-verification";
import { timeLimit } from "./time-limit";

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
  /** X-Request-Id, with which support finds the log line. */
  requestId?: string;
  retryAfterSeconds?: number;
}

export type Answer<T> = { success: true; message?: string; data: T } | Failure;

export interface Receipt {
  reference: string;
  status: ApplicationView["status"];
  submittedAt: string;
}

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
export function ask(url: string, body: Record<string, unknown>, fallback: string): Promise<Answer<undefined>> {
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
    requestId: response.headers.get("x-request-id") ?? undefined,
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
