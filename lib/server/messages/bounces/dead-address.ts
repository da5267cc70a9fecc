import "server-only";
import type { Db } from "@/lib/server/db/client";
import { commercialKinds } from "@/lib/server/messages/outbox/kinds";
import { byReader, insteadOfEmail, mailSystem, stoppedAmong } from "@/lib/server/messages/outbox/stopped";
import { recordStop } from "@/lib/server/messages/suppressions";
import { currentSettings } from "@/lib/server/settings";
import type { Message } from "@/prisma/generated/client";

/** There is no such mailbox or host, or the mailbox is closed (RFC 3463). A full mailbox or a rule of the receiver may change. */
const deadAddress = /^5\.(1\.([01236]|10)|2\.1|4\.4)$/;
/** Where the status is no more than 'failed', as Courier and Exim write it. */
const unknownUser = /unknown user|user unknown|no such user|does(n't| not) exist/i;

/** Of a failure for good, by its status (RFC 3463) and what the receiver has answered. A wrong sender is refused with the same codes. */
export function isDeadAddress(status: string, reason: string): boolean {
  if (/\bsender\b/i.test(reason)) return false;
  return deadAddress.test(status) || (status === "5.0.0" && unknownUser.test(reason));
}

/**
 * Stops what goes to an address that nothing reaches, and queues an SMS instead of an invitation or reminder. The application's
 * row has to be locked.
 */
export async function stopDeadAddress(
  tx: Db,
  { applicationId, kind, recipient }: Pick<Message, "applicationId" | "kind" | "recipient">,
  status: string,
): Promise<void> {
  const isCommercial = commercialKinds.some((one) => one === kind);
  if (applicationId && isCommercial) await textInstead(tx, applicationId, recipient);
  // After the text is queued: from here on the address counts as stopped.
  await recordStop(tx, "email", recipient, `bounced ${status}`, mailSystem);
}

/** One SMS to the invited number, once for an application. None where the reader of either address has stopped messages. */
async function textInstead(tx: Db, applicationId: string, email: string): Promise<void> {
  if (!currentSettings().sending.sms) return;
  const { invitedEmail, invitedMobile, status } = await tx.application.findUniqueOrThrow({
    where: { id: applicationId },
  });
  if (invitedMobile === "" || status !== "draft") return;
  // It was corrected meanwhile, and the right one gets an email.
  if (invitedEmail.toLowerCase() !== email.toLowerCase()) return;
  const text = { channel: "sms", recipient: invitedMobile } as const;
  const contacts = [text, { channel: "email", recipient: email } as const];
  if ((await stoppedAmong(tx, contacts, byReader)).size > 0) return;
  const written = await tx.message.count({
    where: {
      applicationId,
      channel: "sms",
      detail: insteadOfEmail,
      // Cancelled while it was being sent, it went out all the same.
      NOT: { state: "cancelled", sentAt: null },
    },
  });
  if (written > 0) return;
  await tx.message.create({
    data: { applicationId, kind: "invitation", ...text, detail: insteadOfEmail, by: mailSystem },
  });
}
