import "server-only";
import type { ApplicationStatus } from "@/lib/domain/journey";
import { storedStatus } from "@/lib/server/database/application-row";
import { prisma } from "@/lib/server/database/prisma";
import { findByReference } from "./find-by-reference";

/**
 * Erases the personal data of an application, submitted or not, and revokes its links. The SQL function
 * erase_applications (init migration) lists what is kept; it runs as the owner, because the app may not change events.
 */
export async function eraseApplication(reference: string, by: string): Promise<string> {
  const application = await findByReference(reference);
  await prisma().$queryRaw`SELECT erase_applications(ARRAY[${application.id}::uuid], ${by})`;
  return application.reference;
}

/**
 * Retention: erases applications of a status that were not changed for `months` months, also those erased before if
 * anything has happened since. Returns how many were erased.
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
