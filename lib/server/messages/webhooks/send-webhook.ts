import "server-only";
import { createHmac } from "node:crypto";
import { codeOf, innermost } from "@/lib/server/db/errors";
import type { Evidence } from "@/lib/server/evidence/receipt";
import type { MessageContext } from "@/lib/server/messages/message-context";
import { type Outcome, retryAfter } from "@/lib/server/messages/outcome";
import { currentSettings } from "@/lib/server/settings";

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

interface Signed {
  id: string;
  /** Of this attempt, in seconds. */
  timestamp: string;
  body: string;
}

/** The header webhook-signature of the Standard Webhooks specification: one signature for each secret, two while they are rotated. */
export function signatures(secrets: string[], { id, timestamp, body }: Signed): string {
  return secrets
    .map((secret) => Buffer.from(secret.replace(/^whsec_/, ""), "base64"))
    .map((key) => createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64"))
    .map((signature) => `v1,${signature}`)
    .join(" ");
}

interface Happened {
  /** application.submitted, application.status_changed, link.opened */
  type: string;
  at: Date;
  /** Grows with every event: what arrives late is put in its place by `timestamp`, and by this within a millisecond. */
  sequence: number;
  /** The new status of application.status_changed; empty for the others. */
  status: string;
  context: Pick<MessageContext, "reference" | "status" | "submittedAt"> | null;
  /** Of application.submitted. */
  evidence?: Evidence;
}

/** What the receiver gets: nothing personal, and the same bytes in every attempt but for the status when a link is opened. */
export function webhookBody({ type, at, sequence, status, context, evidence }: Happened): string {
  const data = { ...(context && dataOf(type, at, status, context)), sequence, evidence };
  return JSON.stringify({ type, timestamp: at, data });
}

function dataOf(type: string, at: Date, status: string, context: NonNullable<Happened["context"]>) {
  const { reference, submittedAt } = context;
  switch (type) {
    case "application.submitted":
      return { reference, status: "submitted", submittedAt };
    case "application.status_changed":
      return { reference, status, submittedAt };
    default:
      return { reference, status: context.status, openedAt: at };
  }
}
