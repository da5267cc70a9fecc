import "server-only";
import type { ApplicationStatus } from "@/lib/domain/journey";
import { storedStatus } from "@/lib/server/database/application-row";
import { prisma } from "@/lib/server/database/prisma";
import { findByReference } from "./find-by-reference";

/**
 * Removes what is held on the people of an application, submitted or not, and withdraws its links. What stays, and why
 * this is the database's own work, says erase_applications in the init migration.
 */
export async function eraseApplication(reference: string, by: string): Promise<string> {
  const application = await findByReference(reference);
  await prisma().$queryRaw`SELECT erase_applications(ARRAY[${application.id}::uuid], ${by})`;
  return application.reference;
}

/**
 * Retention: applications of a status that have not changed for so many months are erased, again where something happened
 * since the last erasure. Returns how many there were.
 */
export async function eraseOld(status: ApplicationStatus, months: number, by: string): Promise<number> {
  const [row] = await prisma().$queryRaw<{ count: number }[]>`
    SELECT erase_applications(ARRAY(
      SELECT id FROM applications AS a
      WHERE status = ${storedStatus(status)}::"ApplicationStatus"
        AND "updatedAt" < now() - make_interval(months => ${months}::int)
        AND (SELECT kind FROM events WHERE "applicationId" = a.id ORDER BY id DESC LIMIT 1) IS DISTINCT FROM 'erased'
      FOR UPDATE
    ), ${by}) AS count`;
  return row?.count ?? 0;
}
