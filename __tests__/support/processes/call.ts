import { randomInt } from "node:crypto";
import { byStep, consent } from "@/__tests__/support/answers";
import { type AnswerStep, answerSteps } from "@/lib/domain/journey";
import type { App } from "./app";

export interface CallResponse {
  status: number;
  headers: Headers;
  body: Envelope;
  text: string;
  milliseconds: number;
}

interface Envelope {
  success?: boolean;
  data?: Record<string, unknown>;
  message?: string;
  errors?: Record<string, string>;
}

export type Call =
  | "verify-token"
  | `submit-step-${AnswerStep}`
  | "submit-final"
  | "submit"
  | "opened"
  | "receipt"
  | "fresh-link";

const saveCalls = answerSteps.map((step): Call => `submit-step-${step}`);
/** Every call that verifies a token. */
export const allCalls: Call[] = ["verify-token", ...saveCalls, "submit-final", "submit", "opened", "receipt"];

export const steps = answerSteps.map((step) => ({ call: `submit-step-${step}` as const, answers: byStep[step] }));

type Target = Pick<App, "url">;

/** Returns a random client address, so that calls do not share a rate limit. */
export function newAddress(): string {
  return [10, randomInt(256), randomInt(256), randomInt(1, 255)].join(".");
}

/** Makes a call as the form does. Throws only if there is no response at all. */
export async function call(
  app: Target,
  name: Call,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<CallResponse> {
  return send(app, `/api/v1/user/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": "10.0.0.1", ...headers },
    body: JSON.stringify(body),
  });
}

/** Sends any request. If the response is not JSON, `body` is empty. */
export async function send(app: Target, path: string, init: RequestInit): Promise<CallResponse> {
  const begun = performance.now();
  const response = await fetch(app.url + path, { redirect: "manual", signal: AbortSignal.timeout(30_000), ...init });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: parsed(text),
    text,
    milliseconds: performance.now() - begun,
  };
}

function parsed(text: string): Envelope {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

/** Saves the three steps of an application. */
export async function fillIn(app: Target, token: string): Promise<void> {
  for (const { call: name, answers } of steps) {
    const { status, text } = await call(app, name, { token, data: answers });
    if (status !== 200) throw new Error(`${name} was refused with ${status}: ${text}`);
  }
}

/** Saves the three steps of an application and submits it. Throws if the submission is refused. */
export async function submit(app: Target, token: string): Promise<CallResponse> {
  await fillIn(app, token);
  const response = await call(app, "submit-final", { token, data: consent });
  if (response.status !== 200) throw new Error(`submit-final was refused with ${response.status}: ${response.text}`);
  return response;
}
