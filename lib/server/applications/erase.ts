import "server-only";
import { savedAnswers } from "@/lib/domain/application";
import type { ApplicationStatus } from "@/lib/domain/journey";
import { storedStatus } from "@/lib/server/db/application-row";
import { prisma } from "@/lib/server/db/prisma";
import { query } from "@/lib/server/db/query";
import { findByReference } from "./find-by-reference";

/**
 * Erases the personal data of an application, submitted or not, and revokes its links. The SQL function
 * erase_applications lists what is kept; it runs as the owner, because the app may not change events.
 */
export async function eraseApplication(reference: string, by: string): Promise<string> {
  const application = await findByReference(reference);
  await prisma().$queryRaw`SELECT erase_applications(ARRAY[${application.id}::uuid], ${by})`;
  return application.reference;
}

/** Erased in one transaction: few enough for the time limit of a statement, and so that saves hardly wait. */
const erasedAtOnce = 500;

/** The answers that an erasure sets to '' or null; it keeps the source. */
const answersLeft = savedAnswers.filter((name) => name !== "source").map((name) => `a."${name}"`);

/**
 * Locks the rows, which are checked again if somebody has just changed them. What was erased before is found if anything has
 * happened since, or if an answer is there all the same. From one id to the next, so that no row is read twice.
 */
const eraseSome = `
  WITH old AS MATERIALIZED (
    SELECT a.id FROM applications AS a
    WHERE a.status = $1::"ApplicationStatus" AND a."updatedAt" < now() - make_interval(months => $2::int) AND a.id > $4::uuid
      AND (concat(${answersLeft.join(", ")}) <> ''
        OR (SELECT kind FROM events WHERE "applicationId" = a.id ORDER BY id DESC LIMIT 1) IS DISTINCT FROM 'erased')
    ORDER BY a.id LIMIT ${erasedAtOnce} FOR UPDATE
  )
  SELECT erase_applications(array_agg(id), $3) AS count, max(id::text) AS last FROM old HAVING count(*) > 0`;

/**
 * Retention: erases applications of a status that were not changed for `months` months, in batches that are committed one by
 * one, and reports after each full batch how many are erased so far. Returns how many there were in all.
 */
export async function eraseOld(
  status: ApplicationStatus,
  months: number,
  by: string,
  report: (erased: number) => void = () => {},
): Promise<number> {
  let last = "00000000-0000-0000-0000-000000000000";
  for (let erased = 0; ; ) {
    const values = [storedStatus(status), months, by, last];
    const { rows } = await query<{ count: number; last: string }>({ text: eraseSome, values });
    const [batch] = rows;
    if (!batch) return erased;
    erased += batch.count;
    last = batch.last;
    if (batch.count < erasedAtOnce) return erased;
    report(erased);
  }
}
