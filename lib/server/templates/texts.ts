import { type Brand, needsEmail } from "@/lib/brand";
import { maxSegments, segmentsOf, toGsm7 } from "@/lib/domain/sms-text";
import type { ChannelOf, KindOfChannel } from "@/lib/server/outbox/message-kinds";
import { freshLinkEmail, freshLinkSms, invitationEmail, invitationSms, reminderEmail, reminderSms } from "./invitation";
import { evidenceHeadEmail, testEmail, testSms, weeklyFiguresEmail } from "./lender";
import type { RenderedEmail, Template, TemplateData } from "./letter";
import { agentNoticeEmail, confirmationEmail, notYouSms, staffNoticeEmail, statusEmail } from "./submission";

interface Templates {
  email: Template<RenderedEmail>;
  sms: Template<string>;
}

/** The templates of each kind, for exactly the channels that it declares. Webhooks have their own body (send-webhook.ts). */
export const texts: { [K in KindOfChannel<keyof Templates>]: Pick<Templates, ChannelOf<K> & keyof Templates> } = {
  invitation: { email: invitationEmail, sms: invitationSms },
  reminder: { email: reminderEmail, sms: reminderSms },
  "fresh-link": { email: freshLinkEmail, sms: freshLinkSms },
  confirmation: { email: confirmationEmail },
  status: { email: statusEmail },
  "not-you": { sms: notYouSms },
  "staff-notice": { email: staffNoticeEmail },
  "agent-notice": { email: agentNoticeEmail },
  "evidence-head": { email: evidenceHeadEmail },
  "weekly-figures": { email: weeklyFiguresEmail },
  test: { email: testEmail, sms: testSms },
};

/** Empty for a webhook. */
export const templatesOf = (kind: string) => (texts as Record<string, Partial<Templates>>)[kind] ?? {};

/** The text of an SMS. A mobile abroad cannot call an 1800 number, so it also gets the email address, if that fits. */
export function smsTo(mobile: string, sms: Template<string>, data: TemplateData, brand: Brand): string {
  const text = sms.render(data, brand);
  if (!needsEmail(brand, mobile)) return text;
  const supportPhone = `${brand.supportPhone} or email ${brand.supportEmail}`;
  const withEmail = sms.render(data, { ...brand, supportPhone });
  return segmentsOf(toGsm7(withEmail)) <= maxSegments ? withEmail : text;
}
