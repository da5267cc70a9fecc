import { invitableAnswers, savedAnswers } from "@/lib/domain/application";
import { type Application, type ApplicationStatus, Prisma } from "@/prisma/generated/client";
import { invitedColumn } from "./application-row";
import type { Db } from "./client";

export interface Retention {
  status: ApplicationStatus;
  months: number;
  by: string;
  /** The last id of the previous batch, so that no row is read twice. */
  after: string;
  /** The last id that the batch reads. Without it, a statement would read on and on through erased rows. */
  to: string;
  most: number;
}

/** The answers and invited values that an erasure clears: all but the source. */
const erasedColumns = [...savedAnswers.filter((name) => name !== "source"), ...invitableAnswers.map(invitedColumn)];
const anyAnswer = Prisma.raw(`concat(${erasedColumns.map((name) => `a."${name}"`).join(", ")}) <> ''`);

/** The condition of retention on an application `a`. */
function oldApplications(status: Retention["status"], months: number): Prisma.Sql {
  return Prisma.sql`
    a.status = ${status}::"ApplicationStatus" AND a."updatedAt" < now() - make_interval(months => ${months}::int)
    AND NOT EXISTS (SELECT FROM messages AS m
      WHERE m."applicationId" = a.id AND m.kind = 'fresh-link' AND m.state IN ('waiting', 'sending') AND m.recipient <> '')
    AND NOT EXISTS (SELECT FROM events AS e JOIN links AS l ON l.id = e."linkId" WHERE e."applicationId" = a.id
      AND e.kind = 'link_issued' AND e.detail = 'fresh-link' AND l."revokedAt" IS NULL AND l."expiresAt" > now())
    AND (${anyAnswer}
      OR a."erasedAt" IS NULL
      OR EXISTS (SELECT FROM events AS e WHERE e."applicationId" = a.id
        AND e.id > (SELECT max(id) FROM events WHERE "applicationId" = a.id AND kind = 'erased'))
      OR EXISTS (SELECT FROM messages AS m JOIN events AS e ON e."applicationId" = a.id AND e.kind = 'erased'
        WHERE m."applicationId" = a.id AND m.recipient <> ''))`;
}

/** What retention would erase of the applications between two ids. */
export function findSomeOld(db: Db, { status, months, after, to }: Omit<Retention, "by" | "most">) {
  // Raw: the search of an erasure.
  return db.$queryRaw<Pick<Application, "reference" | "updatedAt">[]>`
    SELECT a.reference, a."updatedAt" FROM applications AS a
    WHERE a.id > ${after}::uuid AND a.id <= ${to}::uuid AND ${oldApplications(status, months)}`;
}

/**
 * Erases a batch of applications of a status that have not changed for `months` months. An application that was erased
 * before is erased again if it has a later event, an answer, or a message with a recipient. A landlord whose request for a
 * fresh link has been answered keeps the application until that link expires. Locks the rows and then searches them again:
 * the first search does not see a link that is issued while it waits for a row. `last` is the last id found, or null if
 * fewer than `most` were found.
 */
export async function eraseSomeOld(tx: Db, { status, months, by, after, to, most }: Retention) {
  const isOld = oldApplications(status, months);
  // Raw: a search by expression that locks the rows found.
  const locked = await tx.$queryRaw<Pick<Application, "id">[]>`
    SELECT a.id FROM applications AS a WHERE a.id > ${after}::uuid AND a.id <= ${to}::uuid AND ${isOld}
    ORDER BY a.id LIMIT ${most}::int FOR UPDATE`;
  const ids = locked.map(({ id }) => id);
  // Raw: the same search, and a SECURITY DEFINER function.
  const [batch] = await tx.$queryRaw<{ erased: number }[]>`
    SELECT erase_applications(array_agg(a.id), ${by}) AS erased FROM applications AS a
    WHERE a.id = ANY (${ids}::uuid[]) AND ${isOld} HAVING count(*) > 0`;
  return { erased: batch?.erased ?? 0, last: ids.length < most ? null : (ids.at(-1) ?? null) };
}
