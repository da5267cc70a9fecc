import type { Outdated } from "@/lib/domain/reviewed";

/** A response with its parsed body; null where the body is not JSON. */
export interface Answered {
  response: Response;
  answer: {
    success?: boolean;
    message?: string;
    errors?: Record<string, string>;
    data?: { step?: number } & Partial<Outdated>;
  } | null;
}

declare global {
  interface Window {
    /** Sent by the page's inline script (opening-script.ts). */
    earlyVerification?: { token: string; answered: Promise<Answered> };
  }
}

/** Request timeout of the specification (section 9). */
export const timeoutMilliseconds = 100_000;

export const verificationUrl = "/api/v1/user/verify-token";

/** That script's pending response, once. Undefined where it sent nothing, or another token. */
export function takeEarlyVerification(token: string): Promise<Answered> | undefined {
  const early = window.earlyVerification;
  window.earlyVerification = undefined;
  return early?.token === token ? early.answered : undefined;
}
