import { statusOf } from "@/lib/server/db/application-row";
import type { Db } from "@/lib/server/db/client";
import type { Application, Message } from "@/prisma/generated/client";
import { commercialKinds } from "./message-kinds";
import { correctedError, hasBounced, hasOptedOut, invitedContacts } from "./reachability";

/** The data that decides whether a message is still sent, and what it says. It is read just before sending. */
export type MessageContext = NonNullable<Awaited<ReturnType<typeof loadMessageContext>>>;

/** Less than a day: an invitation is sent seconds after it is due, and a reminder that is due a day later follows it sooner. */
const quietMs = 20 * 3_600_000;
type Subject = Pick<Message, "id" | "applicationId" | "channel" | "recipient" | "number">;

/** Returns null for a message without an application. */
export async function loadMessageContext(tx: Db, message: Subject, now: Date) {
  const { id, applicationId, recipient, number } = message;
  if (applicationId === null) return null;
  const application = await tx.application.findUnique({ where: { id: applicationId }, include: { links: true } });
  if (!application) return null;
  const others = await tx.message.count({
    where: {
      applicationId,
      kind: { in: commercialKinds },
      id: { not: id },
      OR: [
        {
          state: { in: ["waiting", "sending"] },
          // An invitation that operations send again has a higher number than the reminders.
          OR: [{ number: { lt: number } }, { kind: "invitation" }],
        },
        // The person has not received one that went to a contact before its correction.
        { sentAt: { gt: new Date(now.getTime() - quietMs) }, NOT: { state: "cancelled", error: correctedError } },
      ],
    },
  });
  const later = await tx.message.count({
    where: {
      applicationId,
      kind: "status",
      recipient,
      number: { gt: number },
      detail: statusOf(application.status),
      state: { notIn: ["failed", "cancelled"] },
    },
  });
  const { links, loanAmount, invitedEmail, invitedMobile } = application;
  const live = links.filter(({ revokedAt, expiresAt }) => revokedAt === null && expiresAt > now);
  const last = Math.max(...live.map(({ expiresAt }) => expiresAt.getTime()));
  return {
    reference: application.reference,
    status: statusOf(application.status),
    source: application.source,
    name: application.firstName,
    submittedAt: application.submittedAt,
    /** The requested rental advance in dollars, such as '2450.00'. */
    amount: loanAmount?.toFixed(2) ?? null,
    /** When the last live link expires; null if no link works. */
    liveUntil: live.length > 0 ? new Date(last) : null,
    /** Operations have revoked every link and issued none since. */
    isRevoked: links.length > 0 && links.every(({ revokedAt }) => revokedAt !== null),
    isToInvited: [invitedEmail, invitedMobile].some((invited) => invited.toLowerCase() === recipient.toLowerCase()),
    ...(await stopsFor(tx, message, application)),
    /** An invitation or an earlier reminder is still to be sent, or any other was sent in the last 20 hours. */
    hasOtherInvitation: others > 0,
    /** A later message to the same recipient reports the current status. */
    hasLaterReport: later > 0,
  };
}

/** An opt-out at either invited contact applies to both channels. A bounce applies only to its address. */
async function stopsFor(tx: Db, { channel, recipient }: Subject, application: Application) {
  if (channel === "webhook") return { isStopped: false, isDead: false };
  const isOptedOut = await hasOptedOut(tx, invitedContacts(application));
  const isBounced = await hasBounced(tx, { channel, recipient });
  // `isDead`: suppressed only because mail to the address bounces.
  return { isStopped: isOptedOut || isBounced, isDead: isBounced && !isOptedOut };
}
