import "server-only";
import { emailOf } from "./email";
import { linkParts, referenceFact, type Template, writtenDay } from "./letter";

export const freshLinkEmail = emailOf("fresh-link-1", (data, brand) => ({
  subject: `Your new link to application ${data.reference}`,
  preview: `${brand.name} sends it because it was asked for.`,
  heading: "Your new link",
  name: data.name,
  parts: [
    `You asked for a new link to your application with ${brand.legalName}. Here it is; what you saved is still there.`,
    { facts: [referenceFact(data)] },
    ...linkParts(data, brand, "Open your application"),
    "You did not ask for it? Then somebody has tried an old link of yours. Nobody but you gets the new one, so there is nothing you need to do. If it happens again, please call us.",
  ],
  why: `You get this because a new link to application ${data.reference} was asked for on our page. We send it only to the contact that we invited.`,
}));

export const freshLinkSms: Template<string> = {
  version: "fresh-link-1",
  write({ reference, link = "", linkUntil }, brand) {
    const until = linkUntil ? `. It works until ${writtenDay(linkUntil, brand)}` : "";
    return `${brand.legalName}: your new link to application ${reference}, as asked for on our page${until}:\n${link}\nNot asked for? Call ${brand.supportPhone}.`;
  },
};
