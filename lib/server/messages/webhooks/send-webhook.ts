import "server-only";
import { codeOf, innermost } from "@/lib/server/db/failure";
import type { Outcome } from "@/lib/server/messages/outcome";
import { retryAfter } from "@/lib/server/messages/retry-after";
import { currentSettings } from "@/lib/server/settings";
import { signatures } from "./signatures";

const timeoutMs = 15_000;

/** One attempt. Its id stays the same over all attempts, so that the receiver can leave out what it has had already. */
export async function sendWebhook(message: { id: string; body: string }): Promise<Outcome> {
  const { webhook } = currentSettings().sending;
  if (!webhook) return { state: "later", error: "no WEBHOOK_URL" };
  const id = `msg_${message.id}`;
  const timestamp = String(Math.floor(Date.now() / 1000));
  const headers = {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures(webhook.secrets, { id, timestamp, body: message.body }),
  };
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    // Followed, a redirect would post it to an address that nobody has set.
    const init: RequestInit = { method: "POST", headers, body: message.body, redirect: "manual", signal };
    const response = await fetch(webhook.url, init);
    // Unread, it would hold its connection.
    await response.body?.cancel().catch(() => {});
    return outcomeOf(response);
  } catch (error) {
    // Of this message alone: the others are held up by no receiver, and each keeps the specification's schedule.
    return { state: "later", error: nameOf(error) };
  }
}

function outcomeOf({ ok, status, headers }: Response): Outcome {
  if (ok) return { state: "sent" };
  const error = `HTTP ${status}`;
  return status === 410 ? { state: "failed", error } : { state: "later", error, afterSeconds: retryAfter(headers) };
}

/** 'ECONNREFUSED', 'TimeoutError': never a message, which may quote the address. */
function nameOf(error: unknown): string {
  const inner = innermost(error as Error);
  return codeOf(inner) ?? inner.name;
}
