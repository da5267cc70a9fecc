import "server-only";
import { escapeIdentifier } from "pg";
import { type InvitableAnswer, invitableAnswers } from "@/lib/domain/application";
import { prisma } from "@/lib/server/db/prisma";
import { invitedContact } from "@/lib/server/messages/outbox/invited-contact";
import { type Application, Prisma } from "@/prisma/generated/client";
import type { IssuedLink } from "./create-invitations";
import { type ReissueTerms, reissue } from "./links";
import { enterList } from "./list-lock";
import { isOptedOut } from "./opted-out";

/** An application of a batch whose links nobody has opened, with the answers that an invitation carries. */
export interface Unopened extends Pick<Application, "id" | "reference" | "source" | InvitableAnswer> {
  /** How many of its links work. */
  liveLinks: number;
  /** Operations have revoked all of its links. */
  isRevoked: boolean;
  isOptedOut: boolean;
  /** A message can be sent to what the invitation said. */
  isReachable: boolean;
}

export const mayBeReissued = ({ isRevoked, isOptedOut, isReachable }: Unopened, { send }: Pick<ReissueTerms, "send">) =>
  !isRevoked && !isOptedOut && (isReachable || !send);

const pageSize = 500;
const answerColumns = Prisma.raw(invitableAnswers.map((name) => `a.${escapeIdentifier(name)}`).join(", "));

/** Raw, since who has opted out is known by the hash of an address. An erased application keeps its batch, and gets no link. */
async function find(db: Prisma.TransactionClient, condition: Prisma.Sql): Promise<Unopened[]> {
  const rows = await db.$queryRaw<(Unopened & Pick<Application, "invitedEmail" | "invitedMobile">)[]>`
    SELECT a.id, a.reference, a.source, ${answerColumns}, a."invitedEmail", a."invitedMobile", l."liveLinks", l."isRevoked",
      ${isOptedOut} AS "isOptedOut"
    FROM applications a
    CROSS JOIN LATERAL (
      SELECT bool_and("revokedAt" IS NOT NULL) AS "isRevoked", bool_or("openedAt" IS NOT NULL) AS "isOpened",
        count(*) FILTER (WHERE "revokedAt" IS NULL AND "expiresAt" > now())::int AS "liveLinks"
      FROM links WHERE "applicationId" = a.id
    ) l
    WHERE ${condition} AND a.status = 'draft' AND a."erasedAt" IS NULL AND NOT l."isOpened"
    ORDER BY a.reference LIMIT ${pageSize}`;
  return rows.map(({ invitedEmail, invitedMobile, ...row }) => ({
    ...row,
    isReachable: invitedContact(invitedEmail, invitedMobile) !== null,
  }));
}

export async function requireBatch(batch: string): Promise<void> {
  if (await prisma().application.findFirst({ where: { batch }, select: { id: true } })) return;
  throw new Error(`There is no batch '${batch}'.`);
}

/** In pages by reference. */
export async function* unopenedOf(batch: string): AsyncGenerator<Unopened> {
  for (let after = ""; ; ) {
    const page = await find(prisma(), Prisma.sql`a.batch = ${batch} AND a.reference > ${after}`);
    yield* page;
    after = page.at(-1)?.reference ?? "";
    if (page.length < pageSize) return;
  }
}

/**
 * Reissues the links of at most a page of applications: all of them, or none if `beforeCommit` fails. A revocation, an
 * opening, an opt-out or a submission that was committed before their rows were locked is respected: those get no link.
 */
export async function reissueAll(
  applications: Pick<Application, "id">[],
  terms: ReissueTerms,
  beforeCommit: (issued: IssuedLink[], of: Unopened[]) => Promise<void>,
): Promise<number> {
  const ids = applications.map(({ id }) => id);
  return prisma().$transaction(
    async (transaction) => {
      await enterList(transaction);
      // All at once and by id, as an erasure locks them: otherwise the two could wait for each other.
      await transaction.$executeRaw`SELECT FROM applications WHERE id = ANY (${ids}::uuid[]) ORDER BY id FOR UPDATE`;
      const still = (await find(transaction, Prisma.sql`a.id = ANY (${ids}::uuid[])`)).filter((one) =>
        mayBeReissued(one, terms),
      );
      const issued: IssuedLink[] = [];
      for (const application of still) issued.push(await reissue(transaction, application, terms));
      if (issued.length > 0) await beforeCommit(issued, still);
      return issued.length;
    },
    { maxWait: 30_000, timeout: 120_000 },
  );
}
