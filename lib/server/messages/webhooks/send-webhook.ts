import "server-only";
import type { Outcome } from "@/lib/server/messages/outcome";

export async function sendWebhook(_: { id: string; body: string }): Promise<Outcome> {
  return { state: "failed", error: "not built" };
}
