import type { Db } from "@/lib/server/db/client";
import { isCountryAllowed } from "@/lib/server/messages/outbox/enqueue";
import { isCommercial } from "@/lib/server/messages/outbox/message-kinds";
import { hasOptedOut, insteadOfEmail, invitedContacts, mailSystem } from "@/lib/server/messages/outbox/suppressed";
import { cancelSuppressed, recordSuppression } from "@/lib/server/messages/suppressions";
import type { Message } from "@/prisma/generated/client";

/**
 * The host or mailbox does not exist, the mailbox is closed (RFC 3463), or the domain accepts no mail (5.1.10, RFC 7505). A full
 * mailbox or a receiver's rule may change.
 */
const deadAddress = /^5\.(1\.([01236]|10)|2\.1|4\.4)$/;
/** Decides when the status only says that delivery failed (5.0.0), as Courier and Exim write it. */
const unknownUser = /unknown user|user unknown|no such user|does(n't| not) exist/i;

/**
 * Decides against the status: Gmail gives a mailbox that gets too much mail the status of a closed one, 5.2.1
 * (support.google.com/a/answer/3726730), Amazon SES gives a full one that of an unknown one, 5.1.0, and Postfix gives a domain
 * whose name servers answer wrongly that of a missing one, 5.4.4.
 */
const mayRecover = /at a rate|too quickly|mailbox full|\b5\.2\.2\b|unexpected name server reply/i;

/** Judges a permanent failure by its status (RFC 3463) and the receiver's reply. A rejected sender gets the same codes. */
export function isDeadAddress(status: string, reason: string): boolean {
  if (/\bsender\b/i.test(reason) || mayRecover.test(reason)) return false;
  return deadAddress.test(status) || (status === "5.0.0" && unknownUser.test(reason));
}

/**
 * Suppresses an address that no message can reach, and enqueues an SMS in place of an invitation or reminder. The
 * caller must have locked the application.
 */
export async function suppressDeadAddress(
  tx: Db,
  { applicationId, kind, recipient }: Pick<Message, "applicationId" | "kind" | "recipient">,
  status: string,
): Promise<void> {
  if (applicationId && isCommercial(kind)) await enqueueSmsInstead(tx, applicationId, recipient);
  await recordSuppression(tx, "email", recipient, `bounced ${status}`, mailSystem);
}

/**
 * Cancels the invitations and reminders that wait for a dead address. Each application whose invitation is cancelled gets an
 * SMS instead, because its email would have bounced as well. Call it after the suppression is committed.
 */
export function cancelToDeadAddress(address: string): Promise<number> {
  return cancelSuppressed("email", address, async (tx, cancelled) => {
    for (const { kind, applicationId } of cancelled)
      if (kind === "invitation" && applicationId) await enqueueSmsInstead(tx, applicationId, address);
  });
}

/**
 * Enqueues one SMS per application to the invited number, unless the recipient has opted out of emails or SMS, or has been
 * invited by SMS since the last email.
 */
export async function enqueueSmsInstead(tx: Db, applicationId: string, email: string): Promise<void> {
  const application = await tx.application.findUniqueOrThrow({ where: { id: applicationId } });
  const { invitedEmail, invitedMobile, status } = application;
  if (!isCountryAllowed(invitedMobile) || status !== "draft") return;
  // The invited address was corrected meanwhile, and the correct one gets an email.
  if (invitedEmail.toLowerCase() !== email.toLowerCase()) return;
  if (await hasOptedOut(tx, invitedContacts(application))) return;
  const lastEmail = await tx.message.findFirst({
    where: { applicationId, kind: "invitation", channel: "email" },
    orderBy: { number: "desc" },
  });
  const enqueued = await tx.message.count({
    where: {
      applicationId,
      kind: "invitation",
      channel: "sms",
      OR: [{ detail: insteadOfEmail }, { number: { gt: lastEmail?.number ?? 0 } }],
      // An SMS that was cancelled while it was being sent went out all the same, and `sentAt` shows that.
      NOT: { state: "cancelled", sentAt: null },
    },
  });
  if (enqueued > 0) return;
  const sms = { channel: "sms", recipient: invitedMobile } as const;
  await tx.message.create({
    data: { applicationId, kind: "invitation", ...sms, detail: insteadOfEmail, by: mailSystem },
  });
}
