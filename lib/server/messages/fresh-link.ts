import { prisma } from "@/lib/server/db/client";
import { retryOnDeadlock } from "@/lib/server/db/errors";
import { databaseNow, lockApplications } from "@/lib/server/db/statements";
import { refuseOtherSites } from "@/lib/server/http/call";
import { CallError, databaseUnavailable } from "@/lib/server/http/call-error";
import { clientAddress, networkOf } from "@/lib/server/http/client-address";
import { countAgainst } from "@/lib/server/http/limits";
import { logLateFailure } from "@/lib/server/http/log";
import { readJsonObject } from "@/lib/server/http/read-body";
import { readiness } from "@/lib/server/http/readiness";
import { hashToken, isTokenShaped } from "@/lib/server/links/token";
import { reachableContact, suppressedRecipients } from "@/lib/server/messages/outbox/suppressed";

/**
 * Accepts the request and answers before the token is looked up, so that neither the answer nor its timing reveals whether
 * the link exists or what became of it.
 */
export async function requestFreshLink(request: Request): Promise<void> {
  refuseOtherSites(request);
  const { token } = await readJsonObject(request);
  if (!isTokenShaped(token))
    throw new CallError(422, "This link isn't complete. Please open it again from our message.");
  if ((await readiness()).status === "unready") throw databaseUnavailable(undefined);
  await countAgainst("freshLinks", networkOf(clientAddress(request.headers)));
  setImmediate(() => retryOnDeadlock(() => makeFreshLink(token)).catch((error) => logLateFailure("fresh-link", error)));
}

/** After this many unused fresh links, only operations can send another: an expired link must not request messages forever. */
const maxUnused = 5;
const dayMs = 86_400_000;

/**
 * Enqueues a link to the invited contact, because anyone with the form open can change the contact in the answers. A contact
 * that has opted out gets none. An application gets one a day, and five since it was last saved, decided or reissued. A
 * revocation closes every existing link, so only a link that was issued after it can be replaced.
 */
function makeFreshLink(token: string): Promise<void> {
  return prisma().$transaction(async (tx) => {
    const found = await tx.linkToken.findUnique({ where: { tokenHash: hashToken(token) }, include: { link: true } });
    if (!found) return;
    const { id: linkId, applicationId } = found.link;
    // The lock comes before all other reads, so that concurrent requests for one application enqueue a single message.
    await lockApplications(tx, [applicationId]);
    const now = await databaseNow(tx);
    const expired = await tx.link.findFirst({
      where: { id: linkId, expiresAt: { lte: now }, revokedAt: null, application: { erasedAt: null } },
      include: { application: true },
    });
    const contact = expired && (await reachableContact(tx, expired.application));
    if (!contact || (await suppressedRecipients(tx, [contact])).size > 0) return;
    const earlier = await tx.message.findMany({
      where: { applicationId, kind: "fresh-link", NOT: { state: "cancelled", sentAt: null } },
      orderBy: { createdAt: "desc" },
      take: maxUnused,
    });
    const isTooSoon = earlier.some(({ createdAt }) => createdAt.getTime() > now.getTime() - dayMs);
    const unused = earlier.filter(({ createdAt }) => createdAt > expired.application.updatedAt);
    if (isTooSoon || unused.length >= maxUnused) return;
    await tx.message.create({ data: { applicationId, kind: "fresh-link", ...contact } });
  });
}
