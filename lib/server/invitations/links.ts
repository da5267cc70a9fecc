import "server-only";
import { linkTo } from "@/lib/server/access/link-address";
import { hashToken, makeToken } from "@/lib/server/access/token";
import { findByReference } from "@/lib/server/applications/find-by-reference";
import { databaseTime } from "@/lib/server/database/database-time";
import { prisma } from "@/lib/server/database/prisma";
import type { Prisma } from "@/prisma/generated/client";
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
export async function reissueLink(reference: string, expiresDays: number, by: string): Promise<IssuedLink> {
  const application = await findByReference(reference);
  const token = makeToken();
  const link = await prisma().$transaction(async (transaction) => {
    await revokeLive(transaction, application.id, by);
    // Retention goes by updatedAt: without this it could revoke the new link the next night.
    await transaction.$executeRaw`UPDATE applications SET "updatedAt" = now() WHERE id = ${application.id}::uuid`;
    const now = await databaseTime(transaction);
    const expiresAt = new Date(now.getTime() + expiresDays * 86_400_000);
    const created = await transaction.link.create({
      data: { applicationId: application.id, expiresAt, token: { create: { tokenHash: hashToken(token) } } },
    });
    await transaction.event.create({
      data: { applicationId: application.id, linkId: created.id, kind: "link_reissued", by },
    });
    return created;
  });
  return {
    reference: application.reference,
    link: linkTo(token, application.source),
    token,
    expiresAt: link.expiresAt.toISOString(),
  };
}
