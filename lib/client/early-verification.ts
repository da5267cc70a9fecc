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

/** A call under way. Its signal is aborted by the time limit alone. */
export interface Sent {
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
export function takeEarlyVerification(token: string): Sent | undefined {
  const early = window.earlyVerification;
  window.earlyVerification = undefined;
  return early?.token === token ? early : undefined;
}
