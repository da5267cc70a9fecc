import "server-only";
import { findByReference } from "@/lib/server/applications/find-by-reference";
import { statusOf } from "@/lib/server/db/application-row";
import { databaseTime } from "@/lib/server/db/database-time";
import { prisma } from "@/lib/server/db/prisma";
import { linkTo } from "@/lib/server/links/link-address";
import { hashToken, makeToken } from "@/lib/server/links/token";
import { invitedContact } from "@/lib/server/messages/outbox/invited-contact";
import type { MessageKind } from "@/lib/server/messages/outbox/kinds";
import type { Application, Prisma } from "@/prisma/generated/client";
import type { IssuedLink } from "./create-invitations";
import { hasStopped } from "./opted-out";

async function lock(transaction: Prisma.TransactionClient, applicationId: string): Promise<void> {
  await transaction.$executeRaw`SELECT FROM applications WHERE id = ${applicationId}::uuid FOR UPDATE`;
}

async function revokeLive(transaction: Prisma.TransactionClient, applicationId: string, by: string): Promise<number> {
  // Lock the row: of two concurrent reissues, the second has to see and revoke the link of the first.
  await lock(transaction, applicationId);
  return transaction.$executeRaw`
    WITH revoked AS (
      UPDATE links SET "revokedAt" = now() WHERE "applicationId" = ${applicationId}::uuid AND "revokedAt" IS NULL
      RETURNING id, "applicationId"
    )
    INSERT INTO events ("applicationId", "linkId", kind, by)
    SELECT "applicationId", id, 'link_revoked', ${by} FROM revoked`;
}

/** Revokes every link of an application, from the next call on. Returns how many there were. */
export async function revokeLinks(reference: string, by: string): Promise<number> {
  const { id } = await findByReference(reference);
  return prisma().$transaction((transaction) => revokeLive(transaction, id, by));
}

export interface ReissueTerms {
  expiresDays: number;
  by: string;
  /** Whether the product sends a link to what the invitation said. Throws where it cannot. */
  send?: boolean;
}

/** Revokes every link of an application and issues a new one to the same answers. */
export async function reissueLink(reference: string, terms: ReissueTerms): Promise<IssuedLink> {
  const application = await findByReference(reference);
  return prisma().$transaction(async (transaction) => {
    // Before anything is looked at: what is committed by then decides whether and what is sent.
    await lock(transaction, application.id);
    return reissue(transaction, application, terms);
  });
}

export type Reissuable = Pick<Application, "id" | "reference" | "source">;

/** The application's row has to be locked. */
export async function reissue(
  transaction: Prisma.TransactionClient,
  application: Reissuable,
  terms: ReissueTerms,
): Promise<IssuedLink> {
  const { id, reference, source } = application;
  const token = makeToken();
  await revokeLive(transaction, id, terms.by);
  // Retention goes by updatedAt: without this it could revoke the new link the next night.
  await transaction.$executeRaw`UPDATE applications SET "updatedAt" = now() WHERE id = ${id}::uuid`;
  const now = await databaseTime(transaction);
  const expiresAt = new Date(now.getTime() + terms.expiresDays * 86_400_000);
  const link = await transaction.link.create({
    data: { applicationId: id, expiresAt, token: { create: { tokenHash: hashToken(token) } } },
  });
  await transaction.event.create({
    data: { applicationId: id, linkId: link.id, kind: "link_reissued", by: terms.by },
  });
  if (terms.send) await sendLink(transaction, application, terms.by);
  return { reference, link: linkTo(token, source), token, expiresAt: expiresAt.toISOString() };
}

async function sendLink(transaction: Prisma.TransactionClient, { id, reference }: Reissuable, by: string) {
  const { status, invitedEmail, invitedMobile } = await transaction.application.findUniqueOrThrow({
    where: { id },
    select: { status: true, invitedEmail: true, invitedMobile: true },
  });
  const contact = invitedContact(invitedEmail, invitedMobile);
  if (!contact) throw new Error(`${reference} was invited by nothing that a message can be sent to.`);
  const kind = kindFor(status);
  const detail = kind === "status" ? statusOf(status) : "";
  if (kind === "invitation" && (await hasStopped(transaction, id)))
    throw new Error(`The person of ${reference} has stopped our messages: without --send the link is printed only.`);
  if (kind !== "invitation" && contact.channel === "sms")
    throw new Error(
      `${reference} is submitted, and there is no SMS for that: without --send the link is printed only.`,
    );
  await transaction.message.create({ data: { applicationId: id, kind, detail, by, ...contact } });
}

/**
 * The fresh-link message says that its reader asked for it, so it is for those who did. To somebody who has submitted, an
 * invitation would be wrong, and is not sent; the confirmation and the message of a status carry the link as well.
 */
function kindFor(status: Application["status"]): MessageKind {
  if (status === "draft") return "invitation";
  return status === "submitted" ? "confirmation" : "status";
}
