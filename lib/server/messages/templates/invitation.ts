import "server-only";
import type { Brand } from "@/lib/brand";
import { maximumAdvance } from "@/lib/domain/advance";
import { formatCents } from "@/lib/domain/money";
import { inGsm7, mostSegments, segmentsOf } from "@/lib/domain/sms-text";
import { emailOf } from "./email";
import { linkParts, referenceFact, type Template, type TemplateData, writtenDay } from "./letter";

export const invitationEmail = emailOf("invitation-1", (data, brand) => ({
  subject: `Your invitation from ${brand.name}: an advance on your rent`,
  preview: `Reference ${data.reference}. Four short steps, and no obligation.`,
  heading: "You are invited to apply for an advance on your rent",
  name: data.name,
  parts: [
    `${brand.legalName} invites you to apply for ${brand.product}: an advance of up to ${formatCents(maximumAdvance, brand)} on the future rent of the property that you let. It is paid to your managing agent and repaid from the rent.`,
    "Applying takes four short steps, and your answers are saved as you go. It commits you to nothing: you read and sign an agreement before anything is final.",
    { facts: [referenceFact(data)] },
    ...linkParts(data, brand, "Open your application"),
  ],
  why: "You get this because this address was given to us as that of a landlord whose property is let through a managing agent. If you do not want to apply, there is nothing you need to do.",
  stop: data.stop ?? "",
}));

export const invitationSms: Template<string> = {
  version: "invitation-1",
  write: (data, brand) =>
    inviteText(`${brand.legalName} invites you as a landlord to apply for a rent advance`, data, brand),
};

/** It may come to somebody who has begun: only a submission ends the reminders. */
export const reminderEmail = emailOf("reminder-1", (data, brand) => ({
  subject: `A reminder from ${brand.name}: your application for an advance on your rent`,
  preview: `Reference ${data.reference}. We have not received it yet.`,
  heading: "Your application is still open",
  name: data.name,
  parts: [
    `${brand.legalName} invited you to apply for ${brand.product}, an advance on the future rent of the property that you let. We have not received your application yet.`,
    "If you would still like to apply, this link opens it where you left off. If not, there is nothing you need to do.",
    { facts: [referenceFact(data)] },
    ...linkParts(data, brand, "Open your application"),
  ],
  why: "You get this because we sent you an invitation to apply. We remind you a few times at most.",
  stop: data.stop ?? "",
}));

export const reminderSms: Template<string> = {
  version: "reminder-1",
  write: (data, brand) =>
    inviteText(`${brand.legalName}: a reminder of our invitation to apply for a rent advance`, data, brand),
};

/**
 * An invitation in two segments: who, why, the reference, the link on a line of its own, whom to call, how to stop. What
 * does not fit beside a long name or link is left out: first the page that stops it, since the same call does.
 */
function inviteText(opening: string, data: TemplateData, brand: Brand): string {
  const { reference, link = "", linkUntil, stop } = data;
  const until = linkUntil ? `, until ${writtenDay(linkUntil, brand)}` : "";
  const head = `${opening}. Ref ${reference}${until}:\n${link}\n`;
  const texts = [
    ...(stop ? [`${head}Call ${brand.supportPhone}. Stop: ${stop}`] : []),
    `${head}Questions, or to stop: call ${brand.supportPhone}`,
    `${opening}. Ref ${reference}:\n${link}\nTo stop: call ${brand.supportPhone}`,
  ];
  return texts.find((text) => segmentsOf(inGsm7(text)) <= mostSegments) ?? texts.at(-1) ?? "";
}
