import { type Db, longTransaction, prisma } from "@/lib/server/db/client";
import { retryOnDeadlock } from "@/lib/server/db/errors";
import { lockApplications, transactionTime } from "@/lib/server/db/locks";
import { type Reachability, withReachability } from "@/lib/server/outbox/reachability";
import type { Application, Prisma } from "@/prisma/generated/client";
import type { IssuedLink } from "./create-invitations";
import { type ReissueOptions, reissue } from "./links";
import { shareListLock } from "./list-lock";

export interface Unopened extends Application, Reachability {
  liveLinks: number;
  /** Operations have revoked all of its links. */
  isRevoked: boolean;
}

export const mayBeReissued = ({ isRevoked, isOptedOut, contact }: Unopened, { send }: Pick<ReissueOptions, "send">) =>
  !isRevoked && !isOptedOut && (contact !== null || !send);

const pageSize = 500;

/** Leaves out erased applications, which keep their batch but get no new link. */
async function find(db: Db, where: Prisma.ApplicationWhereInput): Promise<Unopened[]> {
  const now = await transactionTime(db);
  const found = await db.application.findMany({
    where: { ...where, status: "draft", erasedAt: null, links: { none: { openedAt: { not: null } } } },
    include: { links: true },
    orderBy: { reference: "asc" },
    take: pageSize,
  });
  return (await withReachability(db, found)).map(({ links, ...application }) => ({
    ...application,
    liveLinks: links.filter(({ revokedAt, expiresAt }) => revokedAt === null && expiresAt > now).length,
    isRevoked: links.every(({ revokedAt }) => revokedAt !== null),
  }));
}

export async function requireBatch(batch: string): Promise<void> {
  if (await prisma().application.findFirst({ where: { batch }, select: { id: true } })) return;
  throw new Error(`There is no batch '${batch}'.`);
}

/** Reads the unopened applications of a batch in pages, by reference. */
export async function* findUnopened(batch: string): AsyncGenerator<Unopened> {
  for (let after = ""; ; ) {
    const page = await find(prisma(), { batch, reference: { gt: after } });
    yield* page;
    after = page.at(-1)?.reference ?? "";
    if (page.length < pageSize) return;
  }
}

/**
 * Reissues the links of up to a page of applications: all of them, or none if `beforeCommit` fails. An application gets no link
 * if it was revoked, opened, opted out or submitted before its row was locked.
 */
export async function reissueAll(
  applications: Pick<Application, "id">[],
  options: ReissueOptions,
  beforeCommit: (issued: IssuedLink[], reissued: Unopened[]) => Promise<void>,
): Promise<number> {
  const ids = applications.map(({ id }) => id);
  const reissueSome = async (tx: Db) => {
    await shareListLock(tx);
    await lockApplications(tx, ids);
    const unopened = await find(tx, { id: { in: ids } });
    const eligible = unopened.filter((application) => mayBeReissued(application, options));
    const issued: IssuedLink[] = [];
    for (const application of eligible) issued.push(await reissue(tx, application, options, application));
    if (issued.length > 0) await beforeCommit(issued, eligible);
    return issued.length;
  };
  // A deadlock can only come before `beforeCommit`, which is therefore not repeated.
  return retryOnDeadlock(() => prisma().$transaction(reissueSome, longTransaction));
}
