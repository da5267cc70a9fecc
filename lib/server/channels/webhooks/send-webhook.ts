import { createHmac } from "node:crypto";
import { judgeRefusal } from "@/lib/server/channels/account-fault";
import { codeOf, innermost } from "@/lib/server/db/errors";
import type { Evidence } from "@/lib/server/evidence/receipt";
import type { MessageContext } from "@/lib/server/outbox/message-context";
import { type Outcome, retryAfter } from "@/lib/server/outbox/outcome";
import { currentSettings } from "@/lib/server/settings";
import type { Message } from "@/prisma/generated/client";

const timeoutMs = 15_000;

/** Makes one attempt. All attempts of a message have the same id, so that the receiver can ignore duplicates. */
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
    // Following a redirect would post the event to an address that nobody has configured.
    const init: RequestInit = { method: "POST", headers, body: message.body, redirect: "manual", signal };
    const response = await fetch(webhook.url, init);
    // An unread body would keep its connection open.
    await response.body?.cancel().catch(() => {});
    return judgeRefusal("webhook", outcomeOf(response));
  } catch (error) {
    // Only this message is postponed. The others are still tried, and each keeps the specification's schedule.
    // A code or name such as 'ECONNREFUSED' or 'TimeoutError', never the message, which may quote the address.
    const inner = innermost(error as Error);
    return { state: "later", error: codeOf(inner) ?? inner.name };
  }
}

function outcomeOf({ ok, status, headers }: Response): Outcome {
  if (ok) return { state: "sent" };
  const error = `HTTP ${status}`;
  return status === 410 ? { state: "failed", error } : { state: "later", error, afterSeconds: retryAfter(headers) };
}

/** The webhook-signature header of the Standard Webhooks specification: one signature per secret, two during a rotation. */
export function signatures(secrets: string[], message: { id: string; timestamp: string; body: string }): string {
  const { id, timestamp, body } = message;
  return secrets
    .map((secret) => Buffer.from(secret.replace(/^whsec_/, ""), "base64"))
    .map((key) => createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64"))
    .map((signature) => `v1,${signature}`)
    .join(" ");
}

/** `number` grows with every event: receivers order late ones by `timestamp`, and by `sequence` within a millisecond. */
type WebhookEvent = Pick<Message, "kind" | "createdAt" | "number" | "detail">;
type Subject = Pick<MessageContext, "reference" | "status" | "submittedAt">;

/** Holds no personal data. All attempts of a message send the same bytes, except for the status in link.opened. */
export function webhookBody(event: WebhookEvent, context: Subject | null, evidence?: Evidence): string {
  const { kind: type, createdAt: timestamp, number } = event;
  const data = { ...(context && dataOf(event, context)), sequence: Number(number), evidence };
  return JSON.stringify({ type, timestamp, data });
}

function dataOf({ kind, createdAt, detail }: WebhookEvent, { reference, status, submittedAt }: Subject) {
  switch (kind) {
    case "application.submitted":
      return { reference, status: "submitted", submittedAt };
    case "application.status_changed":
      return { reference, status: detail, submittedAt };
    default:
      return { reference, status, openedAt: createdAt };
  }
}
