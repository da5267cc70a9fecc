import { statuses } from "@/lib/domain/statuses";
import { planChange } from "@/lib/server/applications/set-status";
import { prisma } from "@/lib/server/db/client";
import { sandboxRefusal } from "@/lib/server/delivery/check-message";
import { currentSettings } from "@/lib/server/settings";
import { texts } from "@/lib/server/templates/texts";
import type { DecisionStatus } from "./decisions";

/** Why the landlord gets no email about a change; empty if one is sent. */
function reasonForNone(email: string): string {
  if (!currentSettings().sending.email) return "no mail server is set up";
  if (email === "") return "there is no address, or the last email already reported this status";
  return sandboxRefusal(email) ?? "";
}

/** What the landlord will see and get after a decision, and when. Throws a Refusal if the status cannot follow. */
export async function previewDecision(reference: string, status: DecisionStatus) {
  const { brand, appUrl, STATUS_DELAY_MINUTES: delayMinutes } = currentSettings();
  const { id, before, name, email, isErased } = await planChange(prisma(), { reference, status });
  const { firstName, invitedEmail } = await prisma().application.findUniqueOrThrow({ where: { id } });
  const { text, nextHeading, next } = statuses[status].words(brand);
  // The link itself is created when the email is sent. It goes to nobody but the invited contact.
  const link = email.toLowerCase() === invitedEmail.toLowerCase() ? `${appUrl}/?token=…` : undefined;
  const letter = texts.status.email.render({ reference, name: firstName, status, link }, brand);
  return {
    before,
    name,
    isErased,
    screen: { heading: statuses[status].heading, text, nextHeading, next },
    email: { to: email, delayMinutes, none: reasonForNone(email), subject: letter.subject, text: letter.text },
  };
}
