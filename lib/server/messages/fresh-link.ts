import "server-only";
import { prisma } from "@/lib/server/db/client";
import { databaseNow, lockApplications } from "@/lib/server/db/statements";
import { refuseOtherSites } from "@/lib/server/http/call";
import { CallError, databaseAway } from "@/lib/server/http/call-error";
import { clientAddress, networkOf } from "@/lib/server/http/client-address";
import { countAgainst } from "@/lib/server/http/limits";
import { logLateFailure } from "@/lib/server/http/log";
import { readJsonObject } from "@/lib/server/http/read-body";
import { readiness } from "@/lib/server/http/readiness";
import { hashToken, isTokenShaped } from "@/lib/server/links/token";
import { reachableContact, stoppedAmong } from "@/lib/server/messages/outbox/stopped";

/**
 * Takes the wish and answers; the token is looked up afterwards. So neither what the answer says nor the time that it
 * takes shows whether there is such a link, and what became of it.
 */
export async function askForFreshLink(request: Request): Promise<void> {
  refuseOtherSites(request);
  const { token } = await readJsonObject(request);
  if (!isTokenShaped(token))
    throw new CallError(422, "This link isn't complete. Please open it again from our message.");
  if ((await readiness()).status === "unready") throw databaseAway(undefined);
  await countAgainst("freshLinks", networkOf(clientAddress(request.headers)));
  setImmediate(() => makeFreshLink(token).catch((error) => logLateFailure("fresh-link", error)));
}

/** Then only operations write: a dead link could otherwise ask for ever. */
const mostUnused = 5;
const dayMs = 86_400_000;

/**
 * To the contact that was invited, since anybody with the form open can change the other, and to none that wants no messages.
 * An application gets one in a day, and five since it was last saved, decided or reissued. A revocation closes whatever links
 * there are: only what was issued after it can be made fresh.
 */
function makeFreshLink(token: string): Promise<void> {
  return prisma().$transaction(async (tx) => {
    const found = await tx.linkToken.findUnique({ where: { tokenHash: hashToken(token) }, include: { link: true } });
    if (!found) return;
    const { id: linkId, applicationId } = found.link;
    // Before anything else is read: of any number of requests for one application, one is made.
    await lockApplications(tx, [applicationId]);
    const now = await databaseNow(tx);
    const dead = await tx.link.findFirst({
      where: { id: linkId, expiresAt: { lte: now }, revokedAt: null, application: { erasedAt: null } },
      include: { application: true },
    });
    const contact = dead && (await reachableContact(tx, dead.application));
    if (!contact || (await stoppedAmong(tx, [contact])).size > 0) return;
    const earlier = await tx.message.findMany({
      where: { applicationId, kind: "fresh-link" },
      orderBy: { createdAt: "desc" },
      take: mostUnused,
    });
    const isSoon = earlier.some(({ createdAt }) => createdAt.getTime() > now.getTime() - dayMs);
    const unused = earlier.filter(({ createdAt }) => createdAt > dead.application.updatedAt);
    if (isSoon || unused.length >= mostUnused) return;
    await tx.message.create({ data: { applicationId, kind: "fresh-link", ...contact } });
  });
}
