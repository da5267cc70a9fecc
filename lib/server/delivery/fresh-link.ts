import { addDays } from "@/lib/domain/zone-time";
import { type Db, prisma, withDeadline } from "@/lib/server/db/client";
import { limitStatements, lockApplications, transactionTime } from "@/lib/server/db/locks";
import { CallError, databaseUnavailable } from "@/lib/server/http/call-error";
import { countPerNetwork } from "@/lib/server/http/limits";
import { readJsonObject } from "@/lib/server/http/read-body";
import { readiness } from "@/lib/server/http/readiness";
import { hashToken, isTokenShaped } from "@/lib/server/links/token";
import { reachabilityOf } from "@/lib/server/outbox/reachability";
import { currentSettings } from "@/lib/server/settings";
import type { FreshLinkRequest, PrismaClient } from "@/prisma/generated/client";

/**
 * Stores the request and responds before the token is looked up, so that neither the response nor its timing reveals whether
 * the link exists or what became of it. Every request gets a row of its own. If the hash were unique, an insert of one that a
 * worker is deleting would wait for the worker.
 */
export async function requestFreshLink(request: Request, { address }: { address: string }): Promise<void> {
  const { token } = await readJsonObject(request);
  if (!isTokenShaped(token))
    throw new CallError(422, "This link isn't complete. Please open it again from our message.");
  if ((await readiness()).status === "unready") throw databaseUnavailable(undefined);
  await withDeadline(async () => {
    await countPerNetwork("freshLinks", address);
    await prisma().freshLinkRequest.create({ data: { tokenHash: hashToken(token) } });
  });
}

/** The most requests that the worker answers before it pauses. */
const maxRequests = 100;

/**
 * Answers stored requests. A request that fails stays for the next round. The newest come first, so that requests that keep
 * failing hold up no later ones. Throws the first failure once the others are answered.
 */
export async function answerFreshLinkRequests(db: PrismaClient, signal?: AbortSignal): Promise<void> {
  const requests = await db.freshLinkRequest.findMany({ orderBy: { createdAt: "desc" }, take: maxRequests });
  const failures: unknown[] = [];
  for (const request of requests)
    if (!signal?.aborted) await answer(db, request).catch((error) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

function answer(db: PrismaClient, { id, tokenHash }: FreshLinkRequest): Promise<void> {
  return db.$transaction(async (tx) => {
    // A locked application delays the next request by no more than a call may wait.
    await limitStatements(tx, currentSettings().DATABASE_TIMEOUT_MS);
    // If another worker is answering the request, the deletion waits for it and then finds nothing.
    const { count } = await tx.freshLinkRequest.deleteMany({ where: { id } });
    if (count > 0) await makeFreshLink(tx, tokenHash);
  });
}

/** After this many unused fresh links, only operations can send another: an expired link must not request messages forever. */
const maxUnused = 5;

/**
 * Enqueues a link to the invited contact, because anyone with the form open can change the contact in the answers. Somebody
 * who has opted out gets none. An application gets one in 24 hours, and five since it was last saved, decided or reissued. A
 * revocation closes every existing link, so only a link that was issued after it can be replaced.
 */
async function makeFreshLink(tx: Db, tokenHash: FreshLinkRequest["tokenHash"]): Promise<void> {
  const found = await tx.linkToken.findUnique({ where: { tokenHash }, include: { link: true } });
  if (!found) return;
  const { id: linkId, applicationId } = found.link;
  await lockApplications(tx, [applicationId]);
  const now = await transactionTime(tx);
  const expired = await tx.link.findFirst({
    where: { id: linkId, expiresAt: { lte: now }, revokedAt: null, application: { erasedAt: null } },
    include: { application: true },
  });
  if (!expired) return;
  const { contact, isOptedOut } = await reachabilityOf(tx, expired.application);
  if (!contact || isOptedOut) return;
  const earlier = await tx.message.findMany({
    where: { applicationId, kind: "fresh-link", NOT: { state: "cancelled", sentAt: null } },
    orderBy: { createdAt: "desc" },
    take: maxUnused,
  });
  const isTooSoon = earlier.some(({ createdAt }) => createdAt > addDays(now, -1));
  const unused = earlier.filter(({ createdAt }) => createdAt > expired.application.updatedAt);
  if (isTooSoon || unused.length >= maxUnused) return;
  await tx.message.create({ data: { applicationId, kind: "fresh-link", ...contact } });
}
