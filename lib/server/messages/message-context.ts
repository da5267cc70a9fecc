import "server-only";
import type { ApplicationStatus } from "@/lib/domain/journey";
import { statusOf } from "@/lib/server/db/application-row";
import type { Db } from "@/lib/server/db/client";
import { databaseNow } from "@/lib/server/db/statements";
import { commercialKinds } from "@/lib/server/messages/outbox/kinds";
import { byReader, insteadOfEmail, stoppedAmong } from "@/lib/server/messages/outbox/stopped";
import type { Message } from "@/prisma/generated/client";

/** What decides whether a message is still to be sent, and what it says, read just before it is sent. */
export interface MessageContext {
  reference: string;
  status: ApplicationStatus;
  source: string;
  name: string;
  submittedAt: Date | null;
  /** The rental advance asked for, as in '2450.00'. */
  amount: string | null;
  /** Until when the last of the links works; null where none does. */
  liveUntil: Date | null;
  /** Operations have withdrawn the links, and issued none since. */
  isRevoked: boolean;
  /** The recipient is the contact that was invited. */
  isToInvited: boolean;
  isErased: boolean;
  isStopped: boolean;
  /** An earlier message of its sort is still to come, or went out within a day. */
  isCollapsed: boolean;
  /** A later message to the same recipient reports the current status. */
  hasLaterReport: boolean;
}

const dayMs = 86_400_000;
type Subject = Pick<Message, "id" | "applicationId" | "channel" | "recipient" | "number" | "detail">;

/** Null where it is about no application. */
export async function loadMessageContext(tx: Db, message: Subject): Promise<MessageContext | null> {
  const { id, applicationId, recipient, number } = message;
  if (applicationId === null) return null;
  const application = await tx.application.findUnique({ where: { id: applicationId }, include: { links: true } });
  if (!application) return null;
  const now = await databaseNow(tx);
  const earlier = await tx.message.findFirst({
    where: {
      applicationId,
      kind: { in: commercialKinds },
      number: { lt: number },
      id: { not: id },
      OR: [{ state: { in: ["waiting", "sending"] } }, { sentAt: { gt: new Date(now.getTime() - dayMs) } }],
    },
    select: { id: true },
  });
  const later = await tx.message.findFirst({
    where: {
      applicationId,
      kind: "status",
      recipient,
      number: { gt: number },
      detail: statusOf(application.status),
      state: { notIn: ["failed", "cancelled"] },
    },
    select: { id: true },
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
    amount: loanAmount?.toFixed(2) ?? null,
    liveUntil: live.length > 0 ? new Date(last) : null,
    isRevoked: links.length > 0 && links.every(({ revokedAt }) => revokedAt !== null),
    isToInvited: [invitedEmail, invitedMobile].some((one) => one.toLowerCase() === recipient.toLowerCase()),
    isErased: application.erasedAt !== null,
    isStopped: await isStopped(tx, message, invitedEmail),
    isCollapsed: earlier !== null,
    hasLaterReport: later !== null,
  };
}

/** Its address is, or it is a text in place of an email whose reader has stopped the emails. */
async function isStopped(tx: Db, { channel, recipient, detail }: Subject, invitedEmail: string): Promise<boolean> {
  if (channel === "webhook") return false;
  if ((await stoppedAmong(tx, [{ channel, recipient }])).size > 0) return true;
  if (detail !== insteadOfEmail) return false;
  const email = { channel: "email", recipient: invitedEmail } as const;
  return (await stoppedAmong(tx, [email], byReader)).size > 0;
}
