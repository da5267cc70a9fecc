import type { Brand } from "@/lib/brand";
import { maximumAdvance } from "@/lib/domain/advance";
import { formatCents } from "@/lib/domain/money";
import { maxSegments, segmentsOf, toGsm7 } from "@/lib/domain/sms-text";
import { dayAndMonth } from "@/lib/domain/zone-time";
import { emailOf } from "./email";
import { linkParts, referenceFact, type Template } from "./letter";

/** The version contains the maximum advance, because the text does. */
export const invitationEmail = emailOf(`invitation-6-${maximumAdvance / 100}`, (data, brand) => ({
  subject: `Your invitation from ${brand.name}: an advance on your rental income`,
  preview: `Four short steps, with no obligation. Reference ${data.reference}.`,
  heading: "You're invited to apply for an advance on your rental income",
  name: data.name,
  parts: [
    `${brand.legalName} invites you to apply for ${brand.product}. It's an advance of up to ${formatCents(maximumAdvance, brand)} on your rent. We'll pay it to your managing agent, and you'll repay it from your rent.`,
    "Applying takes four short steps, and we'll save your answers as you go. There's no obligation: nothing is final until you've read and signed an agreement.",
    { facts: [referenceFact(data)] },
    ...linkParts(data, brand),
  ],
  why: "You're receiving this because we were told you own a property let through an agent. If you don't want to apply, you don't need to do anything.",
  stop: data.stop ?? "",
}));

export const invitationSms = inviteSms(
  "invitation-4",
  ({ legalName }) => `${legalName}: apply for an advance on your rental income`,
);

/** The recipient may have begun the application already, because reminders go on until it is submitted. */
export const reminderEmail = emailOf("reminder-6", (data, brand) => ({
  subject: `A reminder from ${brand.name}: apply for an advance on your rental income`,
  preview: `You can still apply. Reference ${data.reference}.`,
  heading: "Your application is still open",
  name: data.name,
  parts: [
    `${brand.legalName} invited you to apply for ${brand.product}, an advance on your rental income. We haven't received your application yet.`,
    "If you'd still like to apply, this link opens it where you left off. If not, you don't need to do anything.",
    { facts: [referenceFact(data)] },
    ...linkParts(data, brand),
  ],
  why: "You're receiving this because we invited you to apply. We'll only send a few reminders.",
  stop: data.stop ?? "",
}));

export const reminderSms = inviteSms(
  "reminder-4",
  ({ legalName }) => `${legalName}: a reminder to apply for an advance on your rental income`,
);

/**
 * An invitation in two SMS segments: sender, purpose, expiry, reference, the link on its own line, whom to call, how to stop.
 * With a long name or link, the opt-out page is left out first, because a call also stops the messages, and then the expiry.
 */
function inviteSms(version: string, openingOf: (brand: Brand) => string): Template<string> {
  return {
    version,
    render({ reference, link = "", linkUntil, stop }, brand) {
      const opening = openingOf(brand);
      const ref = `(ref ${reference}):\n${link}\n`;
      const until = linkUntil ? `. Link works until ${dayAndMonth(linkUntil, brand, "short")}` : "";
      const head = `${opening}${until} ${ref}`;
      const texts = [
        ...(stop ? [`${head}Help: ${brand.supportPhone}. Stop: ${stop}`] : []),
        `${head}Questions, or to stop: call ${brand.supportPhone}`,
        `${opening} ${ref}To stop: call ${brand.supportPhone}`,
      ];
      return texts.find((text) => segmentsOf(toGsm7(text)) <= maxSegments) ?? texts.at(-1) ?? "";
    },
  };
}

export const freshLinkEmail = emailOf("fresh-link-6", (data, brand) => ({
  subject: `Your new link to application ${data.reference}`,
  preview: data.submittedAt
    ? "It opens your application and its status."
    : "It opens your application where you left off.",
  heading: "Your new link",
  name: data.name,
  parts: [
    `You asked ${brand.legalName} for a new link to your application. Here it is.${data.submittedAt ? "" : " What you saved is still there."}`,
    { facts: [referenceFact(data)] },
    ...linkParts(data, brand),
    "Didn't ask for it? Then someone may have tried one of your old links. We send new links only to you, so you don't need to do anything. If it happens again, please call us.",
  ],
  why: `You're receiving this because someone asked for a new link to application ${data.reference}. We send it only to the mobile or email we first contacted.`,
}));

export const freshLinkSms: Template<string> = {
  version: "fresh-link-3",
  render({ reference, link = "", linkUntil }, brand) {
    const until = linkUntil ? `. It works until ${dayAndMonth(linkUntil, brand)}` : "";
    return `${brand.legalName}: here's the new link you asked for (ref ${reference})${until}:\n${link}\nDidn't ask for it? Call ${brand.supportPhone}.`;
  },
};
