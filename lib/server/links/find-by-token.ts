import type { ApplicationRow } from "@/lib/server/db/application-row";
import { type Db, prisma, queryByDriver } from "@/lib/server/db/client";
import { isLockTimeout } from "@/lib/server/db/errors";
import { limitLockWaits, lockApplications, transactionTime } from "@/lib/server/db/locks";
import { enqueue } from "@/lib/server/outbox/enqueue";
import { type Link, Prisma } from "@/prisma/generated/client";
import { hashToken, isTokenShaped, liveAt } from "./token";

export interface Access {
  linkId: string;
  row: ApplicationRow;
}

export function findLiveLink(db: Db, id: string, now: Date): Promise<Pick<Link, "openedAt"> | null> {
  return db.link.findFirst({ where: { id, ...liveAt(now) }, select: { openedAt: true } });
}

type Found = Access & { isOpened: boolean };

/**
 * Finds the application of a token; null if the token is unknown, expired or revoked. Reads only: a page is rendered for link
 * previews and prerendering too, which do not count as an opening.
 */
export async function readByToken(token: unknown): Promise<Found | null> {
  if (!isTokenShaped(token)) return null;
  // Raw: every call begins with this query, and Prisma's own takes more than twice the processor time. It returns rows as
  // JSON: a prepared statement with a.* fails for good once a migration adds a column, and Prisma converts each separately.
  const statement = Prisma.sql`
    SELECT l.id AS "linkId", l."openedAt" IS NOT NULL AS "isOpened",
      to_json(a) AS row, to_json(c) AS "consentRecord"
    FROM link_tokens t
    JOIN links l ON l.id = t."linkId"
    JOIN applications a ON a.id = l."applicationId"
    LEFT JOIN consent_records c ON c."applicationId" = a.id
    WHERE t."tokenHash" = ${hashToken(token)} AND l."revokedAt" IS NULL AND l."expiresAt" > now()`;
  const [found] = await queryByDriver<Found & Pick<ApplicationRow, "consentRecord">>("find by token", statement);
  if (!found) return null;
  const { linkId, isOpened, row, consentRecord } = found;
  return { linkId, isOpened, row: Object.assign(row, { consentRecord }) };
}

/** As readByToken, for a call. A link's first call is recorded as its opening; a link can be used any number of times. */
export async function findByToken(token: unknown, address: string, userAgent = ""): Promise<Access | null> {
  const found = await readByToken(token);
  if (!found || found.isOpened) return found;
  return (await recordOpening(found.row.id, found.linkId, address, deviceOf(userAgent))) ? found : null;
}

/** The kind of device, for the figures. The link does not store the user agent itself. */
function deviceOf(userAgent: string): string | null {
  if (userAgent === "") return null;
  if (/ipad|tablet/i.test(userAgent)) return "tablet";
  return /mobi|iphone|android/i.test(userAgent) ? "phone" : "computer";
}

/** A list of decisions holds its applications for seconds, and nobody has to wait for that to see an application. */
const maxWaitMs = 500;

/**
 * Commits the first opening together with its event and its webhook. If the application is locked for long, a later call
 * records the opening. Returns false if the link has ended meanwhile.
 */
function recordOpening(applicationId: string, linkId: string, address: string, device: string | null) {
  const record = async (tx: Db) => {
    await limitLockWaits(tx, maxWaitMs);
    await lockApplications(tx, [applicationId]);
    const now = await transactionTime(tx);
    const link = await findLiveLink(tx, linkId, now);
    if (link && link.openedAt === null) {
      await tx.link.update({ where: { id: linkId }, data: { openedAt: now, device } });
      await tx.event.create({ data: { applicationId, linkId, kind: "link_opened", address } });
      await enqueue(tx, applicationId, [{ kind: "link.opened", channel: "webhook" }]);
    }
    return link !== null;
  };
  return prisma()
    .$transaction(record)
    .catch(async (error) => {
      if (!isLockTimeout(error)) throw error;
      return (await findLiveLink(prisma(), linkId, await transactionTime(prisma()))) !== null;
    });
}
