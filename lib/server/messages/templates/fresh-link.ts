import "server-only";
import { emailOf } from "./email";
import { linkParts, referenceFact, type Template, writtenDay } from "./letter";

export const freshLinkEmail = emailOf("fresh-link-3", (data, brand) => ({
  subject: `Your new link to application ${data.reference}`,
  preview: "It opens your application where you left off.",
  heading: "Your new link",
  name: data.name,
  parts: [
    `You asked for a new link to your application with ${brand.legalName}. Here it is. What you saved is still there.`,
    { facts: [referenceFact(data)] },
    ...linkParts(data, brand, "Open your application"),
    "Didn't ask for it? Then someone may have tried one of your old links. We send new links only to you, so you don't need to do anything. If it happens again, please call us.",
  ],
  why: `You're receiving this because someone asked for a new link to application ${data.reference}. We send it only to the mobile or email we first contacted.`,
}));

export const freshLinkSms: Template<string> = {
  version: "fresh-link-2",
  write({ reference, link = "", linkUntil }, brand) {
    const until = linkUntil ? `. It works until ${writtenDay(linkUntil, brand)}` : "";
    return `${brand.legalName}: here's the new link you asked for (ref ${reference})${until}:\n${link}\nDidn't ask for it? Call ${brand.supportPhone}.`;
  },
};
