import "server-only";
import type { ApplicationStatus } from "@/lib/domain/journey";
import { storedStatus } from "@/lib/server/db/application-row";
import { prisma } from "@/lib/server/db/client";
import { eraseApplications, eraseSomeOld } from "@/lib/server/db/statements";
import { findByReference } from "./find-by-reference";

/**
 * Erases the personal data of an application, submitted or not, and revokes its links. The SQL function
 * erase_applications lists what is kept.
 */
export async function eraseApplication(given: string, by: string): Promise<string> {
  const { id, reference } = await findByReference(given);
  await eraseApplications(prisma(), [id], by);
  return reference;
}

/** Erased in one transaction: few enough for the time limit of a statement, and so that saves hardly wait. */
const erasedAtOnce = 500;

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
  let after = "00000000-0000-0000-0000-000000000000";
  for (let erased = 0; ; ) {
    const retention = { status: storedStatus(status), months, by, after, most: erasedAtOnce };
    const batch = await eraseSomeOld(prisma(), retention);
    if (!batch) return erased;
    erased += batch.count;
    after = batch.last;
    if (batch.count < erasedAtOnce) return erased;
    report(erased);
  }
}
