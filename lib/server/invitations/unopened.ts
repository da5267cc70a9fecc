import "server-only";
import { type Db, longTransaction, prisma } from "@/lib/server/db/client";
import { databaseNow, lockApplications } from "@/lib/server/db/statements";
import { byReader, reachableContacts, stoppedAmong } from "@/lib/server/messages/outbox/stopped";
import type { Application, Prisma } from "@/prisma/generated/client";
import type { IssuedLink } from "./create-invitations";
import { type ReissueTerms, reissue } from "./links";
import { shareListLock } from "./list-lock";

/** An application of a batch whose links nobody has opened. */
export interface Unopened extends Application {
  /** How many of its links work. */
  liveLinks: number;
  /** Operations have revoked all of its links. */
  isRevoked: boolean;
  /** An address or number that was invited wants no invitations. */
  isOptedOut: boolean;
  /** A message can be sent to what the invitation said. */
  isReachable: boolean;
}

export const mayBeReissued = ({ isRevoked, isOptedOut, isReachable }: Unopened, { send }: Pick<ReissueTerms, "send">) =>
  !isRevoked && !isOptedOut && (isReachable || !send);

const pageSize = 500;

/** An erased application keeps its batch, and gets no link. */
async function find(db: Db, where: Prisma.ApplicationWhereInput): Promise<Unopened[]> {
  const now = await databaseNow(db);
  const found = await db.application.findMany({
    where: { ...where, status: "draft", erasedAt: null, links: { none: { openedAt: { not: null } } } },
    include: { links: true },
    orderBy: { reference: "asc" },
    take: pageSize,
  });
  const contacts = found.flatMap(({ invitedEmail, invitedMobile }) => [
    { channel: "email", recipient: invitedEmail } as const,
    { channel: "sms", recipient: invitedMobile } as const,
  ]);
  const stopped = await stoppedAmong(db, contacts, byReader);
  const reachable = await reachableContacts(db, found);
  return found.map(({ links, ...application }, index) => ({
    ...application,
    liveLinks: links.filter(({ revokedAt, expiresAt }) => revokedAt === null && expiresAt > now).length,
    isRevoked: links.every(({ revokedAt }) => revokedAt !== null),
    isOptedOut: stopped.has(application.invitedEmail) || stopped.has(application.invitedMobile),
    isReachable: (reachable[index] ?? null) !== null,
  }));
}

export async function requireBatch(batch: string): Promise<void> {
  if (await prisma().application.findFirst({ where: { batch }, select: { id: true } })) return;
  throw new Error(`There is no batch '${batch}'.`);
}

/** In pages by reference. */
export async function* unopenedOf(batch: string): AsyncGenerator<Unopened> {
  for (let after = ""; ; ) {
    const page = await find(prisma(), { batch, reference: { gt: after } });
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
  return prisma().$transaction(async (tx) => {
    await shareListLock(tx);
    await lockApplications(tx, ids);
    const still = (await find(tx, { id: { in: ids } })).filter((one) => mayBeReissued(one, terms));
    const issued: IssuedLink[] = [];
    for (const application of still) issued.push(await reissue(tx, application, terms));
    if (issued.length > 0) await beforeCommit(issued, still);
    return issued.length;
  }, longTransaction);
}
