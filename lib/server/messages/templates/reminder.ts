import "server-only";
import { emailOf } from "./letter";
import { linkParts, referenceFact } from "./link-parts";
import { inviteText } from "./sms-parts";
import type { Template } from "./template";

/** It may come to somebody who has begun: only a submission ends the reminders. */
export const reminderEmail = emailOf("reminder-1", (told, brand) => ({
  subject: `A reminder from ${brand.name}: your application for an advance on your rent`,
  preview: `Reference ${told.reference}. We have not received it yet.`,
  heading: "Your application is still open",
  name: told.name,
  parts: [
    `${brand.legalName} invited you to apply for ${brand.product}, an advance on the future rent of the property that you let. We have not received your application yet.`,
    "If you would still like to apply, this link opens it where you left off. If not, there is nothing you need to do.",
    { facts: [referenceFact(told)] },
    ...linkParts(told, brand, "Open your application"),
  ],
  why: "You get this because we sent you an invitation to apply. We remind you a few times at most.",
  stop: told.stop ?? "",
}));

export const reminderSms: Template<string> = {
  version: "reminder-1",
  write: (told, brand) =>
    inviteText(`${brand.legalName}: a reminder of our invitation to apply for a rent advance`, told, brand),
};
