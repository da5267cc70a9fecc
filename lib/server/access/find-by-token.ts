import "server-only";
import type { ApplicationRow } from "@/lib/server/applications/application-row";
import { database } from "@/lib/server/database/client";
import { Prisma } from "@/prisma/generated/client";
import { hashToken, isTokenShaped } from "./token";

/** The application behind a live link. */
export interface Access {
  linkId: string;
  row: ApplicationRow;
}

/** By name: a prepared `a.*` fails once when a migration adds a column under load (promises.md, 9). */
const columns = Prisma.raw(
  Object.values(Prisma.ApplicationScalarFieldEnum)
    .map((column) => `a."${column}"`)
    .join(", "),
);

type Found = ApplicationRow & { linkId: string; openedAt: Date | null };

/**
 * Finds what a token opens, or null for a token that is unknown, expired or revoked.
 * Expiry is judged by the database's clock, so that every process agrees. The first use is noted; none uses the link up.
 */
export async function findByToken(token: unknown, address: string): Promise<Access | null> {
  if (!isTokenShaped(token)) return null;
  const [found] = await database().prisma.$queryRaw<Found[]>`
    SELECT ${columns}, l.id AS "linkId", l."openedAt", c."authoriseAgent", c."provideSelf", c."confirmLoan",
      c.version AS "consentVersion", c.document AS "consentDocument", c."consentedAt"
    FROM link_tokens t
    JOIN links l ON l.id = t."linkId"
    JOIN applications a ON a.id = l."applicationId"
    LEFT JOIN consent_records c ON c."applicationId" = a.id
    WHERE t."tokenHash" = ${hashToken(token)} AND l."revokedAt" IS NULL AND l."expiresAt" > now()`;
  if (!found) return null;
  const { linkId, openedAt, ...row } = found;
  if (!openedAt) await noteOpening(linkId, address);
  return { linkId, row };
}

async function noteOpening(linkId: string, address: string): Promise<void> {
  await database().prisma.$executeRaw`
    WITH opened AS (
      UPDATE links SET "openedAt" = now() WHERE id = ${linkId}::uuid AND "openedAt" IS NULL RETURNING id, "applicationId"
    )
    INSERT INTO events ("applicationId", "linkId", kind, address)
    SELECT "applicationId", id, 'link_opened', ${address} FROM opened`;
}
