import "server-only";
import { prisma } from "@/lib/server/database/prisma";
import { Prisma } from "@/prisma/generated/client";

/**
 * The columns that an erasure keeps, by table. All others are set to their defaults: a new column is erased unless it
 * is named here.
 */
export const keptColumns = {
  applications: ["id", "reference", "status", "source", "submittedAt", "erasedAt", "createdAt", "updatedAt"],
  events: ["id", "applicationId", "linkId", "kind", "detail", "at"],
} as const satisfies {
  applications: readonly Prisma.ApplicationScalarFieldEnum[];
  events: readonly Prisma.EventScalarFieldEnum[];
};

function blanks(columns: Record<string, string>, kept: readonly string[]): Prisma.Sql {
  const erased = Object.values(columns).filter((column) => !kept.includes(column));
  return Prisma.raw(erased.map((column) => `"${column}" = DEFAULT`).join(", "));
}

/**
 * Retention: erases every personal value of applications that were never submitted and not changed for `months` months,
 * and revokes their links. Returns how many were erased.
 */
export async function eraseOldDrafts(months: number): Promise<number> {
  return prisma().$executeRaw`
    WITH erased AS (
      UPDATE applications
      SET ${blanks(Prisma.ApplicationScalarFieldEnum, keptColumns.applications)}, "erasedAt" = now()
      WHERE status = 'draft' AND "erasedAt" IS NULL AND "updatedAt" < now() - make_interval(months => ${months}::int)
      RETURNING id
    ), closed AS (
      UPDATE links SET "revokedAt" = COALESCE("revokedAt", now()) FROM erased WHERE "applicationId" = erased.id
    ), unaddressed AS (
      UPDATE events SET ${blanks(Prisma.EventScalarFieldEnum, keptColumns.events)}
      FROM erased WHERE "applicationId" = erased.id
    )
    INSERT INTO events ("applicationId", kind) SELECT id, 'erased' FROM erased`;
}
