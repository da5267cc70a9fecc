import "server-only";
import { type InvitableAnswer, invitableAnswers } from "@/lib/domain/application";
import { linkTo } from "@/lib/server/access/link-address";
import { hashToken, makeToken } from "@/lib/server/access/token";
import { findByReference } from "@/lib/server/applications/find-by-reference";
import { databaseTime } from "@/lib/server/database/database-time";
import { prisma } from "@/lib/server/database/prisma";
import { invitedContact } from "@/lib/server/outbox/invited-contact";
import type { Application, Prisma } from "@/prisma/generated/client";
import type { IssuedLink } from "./create-invitations";

async function revokeLive(transaction: Prisma.TransactionClient, applicationId: string, by: string): Promise<number> {
  // Lock the row: of two concurrent reissues, the second has to see and revoke the link of the first.
  await transaction.$executeRaw`SELECT FROM applications WHERE id = ${applicationId}::uuid FOR UPDATE`;
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

/** Revokes every link of an application and issues a new one to the same answers. */
export async function reissueLink(reference: string, terms: Terms): Promise<IssuedLink> {
  const application = await findByReference(reference);
  return prisma().$transaction((transaction) => reissue(transaction, application, terms));
}

interface Terms {
  expiresDays: number;
  by: string;
  /** Whether the product sends a link to what the invitation said. Throws where it cannot. */
  send?: boolean;
}

type Reissuable = Pick<Application, "id" | "reference" | "source">;

async function reissue(transaction: Prisma.TransactionClient, application: Reissuable, terms: Terms) {
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
  const { invitedEmail, invitedMobile } = await transaction.application.findUniqueOrThrow({
    where: { id },
    select: { invitedEmail: true, invitedMobile: true },
  });
  const contact = invitedContact(invitedEmail, invitedMobile);
  if (!contact) throw new Error(`${reference} was invited by nothing that a message can be sent to.`);
  await transaction.message.create({ data: { applicationId: id, kind: "fresh-link", by, ...contact } });
}

/** An application of a batch whose links nobody has opened, and what a message to its applicant needs. */
export type Unopened = Reissuable & Pick<Application, InvitableAnswer>;

const told = Object.fromEntries(invitableAnswers.map((name) => [name, true])) as Record<InvitableAnswer, true>;

/** In pages by reference. Of what was erased, the batch was erased as well: it gets no link. */
export async function* unopenedOf(batch: string): AsyncGenerator<Unopened> {
  const pageSize = 500;
  for (let after = ""; ; ) {
    const page = await prisma().application.findMany({
      where: {
        batch,
        status: "draft",
        erasedAt: null,
        reference: { gt: after },
        links: { none: { openedAt: { not: null } } },
      },
      select: { id: true, reference: true, source: true, ...told },
      orderBy: { reference: "asc" },
      take: pageSize,
    });
    yield* page;
    after = page.at(-1)?.reference ?? "";
    if (page.length < pageSize) return;
  }
}

/** Reissues these links: all of them, or none if `beforeCommit` fails. */
export async function reissueAll(
  applications: Reissuable[],
  terms: Terms,
  beforeCommit: (issued: IssuedLink[]) => void,
): Promise<void> {
  await prisma().$transaction(
    async (transaction) => {
      const issued: IssuedLink[] = [];
      for (const application of applications) issued.push(await reissue(transaction, application, terms));
      beforeCommit(issued);
    },
    { timeout: 120_000 },
  );
}
