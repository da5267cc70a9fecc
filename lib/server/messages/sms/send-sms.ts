import "server-only";
import type { Outcome } from "@/lib/server/messages/outcome";

export interface Sms {
  id: string;
  /** Digits, dial code first. */
  to: string;
  text: string;
}

export async function sendSms(_: Sms): Promise<Outcome> {
  return { state: "failed", error: "not built" };
}
