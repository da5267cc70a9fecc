import "server-only";
import { inSenderTransaction, type SenderTransaction } from "@/lib/server/db/sender-pool";
import { kindOf } from "@/lib/server/messages/outbox/kinds";
import { currentSettings } from "@/lib/server/settings";
import { type About, readAbout } from "./about";
import type { Claimed } from "./claim";
import { sendEmail } from "./email/send-email";
import { type Ending, finish, finishAttempt } from "./finish";
import { judge } from "./judge";
import { mintLink, mintStop } from "./mint-link";
import type { Outcome } from "./outcome";
import { sendSms } from "./sms/send-sms";
import { oneClick } from "./stop-code";
import { emails } from "./templates/emails";
import { smsTexts } from "./templates/sms-texts";
import type { Told } from "./templates/told";
import { sendWebhook } from "./webhooks/send-webhook";
import { webhookBody } from "./webhooks/webhook-body";

interface Prepared {
  about: About | null;
  told: Told;
  linkId?: string;
}

/** Not to be sent, or not now. */
interface Refused {
  about: About | null;
  ending: Ending;
}

const superseded: Ending = { state: "superseded", error: "another worker has it, or it was cancelled" };

/** Looks at a claimed message once more, writes it, sends it, and records what came of it. */
export async function deliver(message: Claimed): Promise<{ ending: Ending; reference?: string }> {
  const prepared = await inSenderTransaction((query) => prepare(query, message));
  const reference = prepared.about?.reference;
  if ("ending" in prepared) return { ending: prepared.ending, reference };
  // The process may have been suspended since the transaction: then somebody else has the message.
  const isLeased = performance.now() < message.leaseEnds;
  const ending = isLeased ? await send(message, prepared) : superseded;
  await finishAttempt(message, ending, templateOf(message), prepared.linkId);
  return { ending, reference };
}

/**
 * Decides, and makes the links and codes that the message carries, in one transaction that locks the application: a
 * revocation, an erasure, a submission or a stop comes before it and is respected, or waits until this is committed. No
 * transaction is open while a provider is contacted.
 */
async function prepare(query: SenderTransaction, message: Claimed): Promise<Prepared | Refused> {
  const lock = "SELECT FROM applications WHERE id = $1 FOR NO KEY UPDATE";
  await query({ text: lock, values: [message.applicationId] });
  const isHeld = await holdsClaim(query, message);
  const about = await readAbout(query, message);
  const ending = isHeld ? judge(message, about, currentSettings(), new Date()) : superseded;
  if (ending) {
    await finish(query, message, ending, "");
    return { about, ending };
  }
  const { linkId, ...told } = await content(query, message, about);
  await query({ text: `UPDATE message_attempts SET "contactedAt" = now() WHERE id = $1`, values: [message.attempt] });
  return { about, told, linkId };
}

/** Locks the message, so that a cancellation or a stop waits for the end of the transaction. */
async function holdsClaim(query: SenderTransaction, { id, dueAt }: Claimed): Promise<boolean> {
  const text = `SELECT id FROM messages WHERE id = $1 AND state = 'sending' AND "dueAt" = $2 FOR UPDATE`;
  return (await query({ text, values: [id, dueAt] })).length > 0;
}

function templateOf({ channel, kind }: Claimed): string {
  if (channel === "webhook") return kind;
  return (channel === "email" ? emails[kind] : smsTexts[kind])?.version ?? "";
}

const textless: Outcome = { state: "failed", error: "no text" };

async function send(message: Claimed, { about, told }: Prepared): Promise<Outcome> {
  const { id, channel, kind, recipient, detail, number, createdAt } = message;
  const { brand } = currentSettings();
  if (channel === "webhook") {
    const body = webhookBody({ type: kind, at: createdAt, sequence: Number(number), status: detail, about });
    return sendWebhook({ id, body });
  }
  if (channel === "sms") {
    const text = smsTexts[kind]?.write(told, brand);
    return text === undefined ? textless : sendSms({ id, to: recipient, text });
  }
  const email = emails[kind]?.write(told, brand);
  const stop = told.stop && oneClick(told.stop);
  return email ? sendEmail({ id, to: recipient, ...email, stop }) : textless;
}

async function content(
  query: SenderTransaction,
  message: Claimed,
  about: About | null,
): Promise<Told & { linkId?: string }> {
  const { link, isCommercial } = kindOf(message.kind);
  const hasLink = about && !about.isRevoked && (link === "always" || (link === "to-invited" && about.isToInvited));
  const minted = hasLink ? await mintLink(query, message, about) : {};
  const stop = isCommercial ? await mintStop(query, message) : undefined;
  return {
    reference: about?.reference ?? "",
    name: about?.name ?? "",
    submittedAt: about?.submittedAt ?? undefined,
    amount: about?.amount ?? undefined,
    status: about?.status,
    stop,
    ...minted,
  };
}
