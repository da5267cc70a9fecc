import "server-only";
import { maximumAdvance } from "@/lib/domain/advance";
import { formatCents } from "@/lib/domain/money";
import { emailOf } from "./letter";
import { linkParts, referenceFact } from "./link-parts";
import { inviteText } from "./sms-parts";
import type { Template } from "./template";

export const invitationEmail = emailOf("invitation-1", (told, brand) => ({
  subject: `Your invitation from ${brand.name}: an advance on your rent`,
  preview: `Reference ${told.reference}. Four short steps, and no obligation.`,
  heading: "You are invited to apply for an advance on your rent",
  name: told.name,
  parts: [
    `${brand.legalName} invites you to apply for ${brand.product}: an advance of up to ${formatCents(maximumAdvance, brand)} on the future rent of the property that you let. It is paid to your managing agent and repaid from the rent.`,
    "Applying takes four short steps, and your answers are saved as you go. It commits you to nothing: you read and sign an agreement before anything is final.",
    { facts: [referenceFact(told)] },
    ...linkParts(told, brand, "Open your application"),
  ],
  why: "You get this because this address was given to us as that of a landlord whose property is let through a managing agent. If you do not want to apply, there is nothing you need to do.",
  stop: told.stop ?? "",
}));

export const invitationSms: Template<string> = {
  version: "invitation-1",
  write: (told, brand) =>
    inviteText(`${brand.legalName} invites you as a landlord to apply for a rent advance`, told, brand),
};
