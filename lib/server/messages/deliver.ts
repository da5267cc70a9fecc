import "server-only";
import { currentSettings } from "@/lib/server/env";
import { kindOf } from "@/lib/server/outbox/kinds";
import { type About, readAbout } from "./about";
import type { Claimed } from "./claim";
import { submissionsOf } from "./digest";
import { sendEmail } from "./email/send-email";
import { type Ending, finish } from "./finish";
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

/** Looks at a claimed message once more, writes it, sends it, and notes what came of it. */
export async function deliver(message: Claimed): Promise<{ ending: Ending; reference?: string }> {
  const about = await readAbout(message);
  const refused = judge(message, about, currentSettings(), new Date());
  const template = refused ? "" : templateOf(message);
  const { outcome: ending, linkId } = refused ? { outcome: refused } : await send(message, about);
  await finish(message, ending, template, linkId);
  return { ending, reference: about?.reference };
}

function templateOf({ channel, kind }: Claimed): string {
  if (channel === "webhook") return kind;
  return (channel === "email" ? emails[kind] : smsTexts[kind])?.version ?? "";
}

const textless: Outcome = { state: "failed", error: "no text" };

/** No transaction is open while a provider is spoken to. */
async function send(message: Claimed, about: About | null): Promise<{ outcome: Outcome; linkId?: string }> {
  const { id, channel, kind, recipient, detail, number, createdAt } = message;
  const { brand } = currentSettings();
  if (channel === "webhook") {
    const body = webhookBody({ type: kind, at: createdAt, sequence: Number(number), status: detail, about });
    return { outcome: await sendWebhook({ id, body }) };
  }
  const { linkId, ...told } = await tell(message, about);
  if (channel === "sms") {
    const text = smsTexts[kind]?.write(told, brand);
    return { outcome: text === undefined ? textless : await sendSms({ id, to: recipient, text }), linkId };
  }
  const email = emails[kind]?.write(told, brand);
  const stop = told.stop && oneClick(told.stop);
  return { outcome: email ? await sendEmail({ id, to: recipient, ...email, stop }) : textless, linkId };
}

async function tell(message: Claimed, about: About | null): Promise<Told & { linkId?: string }> {
  const { link, isCommercial } = kindOf(message.kind);
  const hasLink = about && !about.isRevoked && (link === "always" || (link === "to-invited" && about.isToInvited));
  const minted = hasLink ? await mintLink(message, about) : {};
  const stop = isCommercial ? await mintStop(message) : undefined;
  return {
    reference: about?.reference ?? "",
    name: about?.name ?? "",
    submittedAt: about?.submittedAt ?? undefined,
    amount: about?.amount ?? undefined,
    status: about?.status,
    submissions: message.kind === "staff-digest" ? await submissionsOf(message) : undefined,
    stop,
    ...minted,
  };
}
