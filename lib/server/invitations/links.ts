import "server-only";
import { findByReference } from "@/lib/server/applications/find-by-reference";
import { statusOf } from "@/lib/server/db/application-row";
import { type Db, prisma } from "@/lib/server/db/client";
import { databaseNow, lockApplications } from "@/lib/server/db/statements";
import { hashToken, linkTo, makeToken } from "@/lib/server/links/token";
import { invitedContact } from "@/lib/server/messages/outbox/enqueue";
import type { MessageKind } from "@/lib/server/messages/outbox/kinds";
import { byReader, reachableContact, stoppedAmong } from "@/lib/server/messages/outbox/stopped";
import type { Application } from "@/prisma/generated/client";
import type { IssuedLink } from "./create-invitations";

/** The application's row has to be locked: of two concurrent reissues, the second has to revoke the link of the first. */
async function revokeLive(tx: Db, applicationId: string, by: string): Promise<number> {
  const revoked = await tx.link.updateManyAndReturn({
    where: { applicationId, revokedAt: null },
    data: { revokedAt: await databaseNow(tx) },
    select: { id: true },
  });
  const events = revoked.map(({ id }) => ({ applicationId, linkId: id, kind: "link_revoked" as const, by }));
  await tx.event.createMany({ data: events });
  return revoked.length;
}

/** Revokes every link of an application, from the next call on. Returns how many there were. */
export async function revokeLinks(reference: string, by: string): Promise<number> {
  const { id } = await findByReference(reference);
  return prisma().$transaction(async (tx) => {
    await lockApplications(tx, [id]);
    return revokeLive(tx, id, by);
  });
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
  return prisma().$transaction(async (tx) => {
    // Before anything is read: what is committed by then decides whether and what is sent.
    await lockApplications(tx, [application.id]);
    return reissue(tx, application, terms);
  });
}

export type Reissuable = Pick<Application, "id" | "reference" | "source">;

/** The application's row has to be locked. */
export async function reissue(tx: Db, application: Reissuable, terms: ReissueTerms): Promise<IssuedLink> {
  const { id, reference, source } = application;
  const token = makeToken();
  await revokeLive(tx, id, terms.by);
  const now = await databaseNow(tx);
  // Retention goes by updatedAt: without this it could revoke the new link the next night.
  await tx.application.update({ where: { id }, data: { updatedAt: now }, select: { id: true } });
  const expiresAt = new Date(now.getTime() + terms.expiresDays * 86_400_000);
  const link = await tx.link.create({
    data: { applicationId: id, expiresAt, token: { create: { tokenHash: hashToken(token) } } },
  });
  await tx.event.createMany({ data: [{ applicationId: id, linkId: link.id, kind: "link_reissued", by: terms.by }] });
  if (terms.send) await sendLink(tx, application, terms.by);
  return { reference, link: linkTo(token, source), token, expiresAt: expiresAt.toISOString() };
}

async function sendLink(tx: Db, { id, reference }: Reissuable, by: string) {
  const application = await tx.application.findUniqueOrThrow({ where: { id } });
  const { status, invitedEmail, invitedMobile } = application;
  const kind = kindFor(status);
  // A bounce stops invitations and reminders only: whoever has submitted is written to all the same.
  const contact =
    kind === "invitation" ? await reachableContact(tx, application) : invitedContact(invitedEmail, invitedMobile);
  if (!contact)
    throw new Error(
      `No message can reach the person invited as ${reference}. Without --send, the link is only printed.`,
    );
  const detail = kind === "status" ? statusOf(status) : "";
  const invited = [
    { channel: "email", recipient: invitedEmail } as const,
    { channel: "sms", recipient: invitedMobile } as const,
  ];
  if (kind === "invitation" && (await stoppedAmong(tx, invited, byReader)).size > 0)
    throw new Error(`Messages to the contact of ${reference} are stopped. Without --send, the link is only printed.`);
  if (kind !== "invitation" && contact.channel === "sms")
    throw new Error(
      `${reference} is submitted, and there is no SMS for that. Without --send, the link is only printed.`,
    );
  await tx.message.createMany({ data: [{ applicationId: id, kind, detail, by, ...contact }] });
}

/**
 * The fresh-link message says that its reader asked for it, so it is for those who did. To somebody who has submitted, an
 * invitation would be wrong, and is not sent; the confirmation and the message of a status carry the link as well.
 */
function kindFor(status: Application["status"]): MessageKind {
  if (status === "draft") return "invitation";
  return status === "submitted" ? "confirmation" : "status";
}
