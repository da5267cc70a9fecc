import type { ApplicationStatus } from "@/lib/domain/journey";
import { storedStatus } from "@/lib/server/db/application-row";
import { prisma } from "@/lib/server/db/client";
import { retryOnDeadlock } from "@/lib/server/db/errors";
import { eraseApplications, eraseSomeOld, type Retention } from "@/lib/server/db/statements";
import { findByReference } from "./find-by-reference";

/**
 * Erases the personal data of an application, submitted or not, and revokes its links. The SQL function
 * erase_applications lists what is kept.
 */
export async function eraseApplication(typedReference: string, by: string): Promise<string> {
  const { id, reference } = await findByReference(typedReference);
  await retryOnDeadlock(() => eraseApplications(prisma(), [id], by));
  return reference;
}

/** Applications per transaction: few enough for the statement time limit, and so that saves hardly wait. */
const batchSize = 500;

/**
 * Retention: erases applications of a status that have not changed for `months` months. Commits each batch separately and
 * reports the number erased so far after each full batch. Returns the total.
 */
export async function eraseOld(
  status: ApplicationStatus,
  months: number,
  by: string,
  report: (erased: number) => void = () => {},
): Promise<number> {
  let after: string | null = "00000000-0000-0000-0000-000000000000";
  let total = 0;
  while (after !== null) {
    const retention: Retention = { status: storedStatus(status), months, by, after, most: batchSize };
    const { erased, last } = await retryOnDeadlock(() => prisma().$transaction((tx) => eraseSomeOld(tx, retention)));
    total += erased;
    after = last;
    if (after !== null) report(total);
  }
  return total;
}
