import "server-only";
import type { SubmittedStatus } from "@/lib/domain/journey";
import { statusOf, storedStatus } from "@/lib/server/db/application-row";
import { prisma } from "@/lib/server/db/client";
import { changeStatus, databaseNow, lockApplications } from "@/lib/server/db/statements";
import { enqueue, messagesForStatus } from "@/lib/server/messages/outbox/enqueue";
import { findByReference } from "./find-by-reference";

/** The statuses that operations may set, spelled as in the API ('in-review'). */
export const settableStatuses = [
  "submitted",
  "in-review",
  "approved",
  "declined",
] as const satisfies readonly SubmittedStatus[];
export type SettableStatus = (typeof settableStatuses)[number];

interface Change {
  reference: string;
  before: SubmittedStatus;
  /** Until when the applicant's latest link shows it; null where none does. */
  shownUntil: Date | null;
  /** Whether an email about it is on its way to the applicant. */
  isEmailed: boolean;
}

interface Cause {
  by: string;
  reason?: string;
}

/**
 * Sets the status of a submitted application, also back, records who did it and why, and enqueues its messages. Throws for a
 * draft. The row is locked first: otherwise an email could go to an address that is being erased.
 */
export async function setStatus(given: string, status: SettableStatus, { by, reason = "" }: Cause): Promise<Change> {
  const { id, reference } = await findByReference(given);
  return prisma().$transaction(async (tx) => {
    await lockApplications(tx, [id]);
    const before = statusOf(await changeStatus(tx, id, { status: storedStatus(status), by, reason }));
    if (before === "draft") throw new Error(`${reference} has not been submitted yet.`);
    const application = await tx.application.findUniqueOrThrow({ where: { id } });
    const isReported = before !== status && application.erasedAt === null;
    const channels = isReported ? await enqueue(tx, application, messagesForStatus(status), by) : [];
    const { _max } = await tx.link.aggregate({
      where: { applicationId: id, revokedAt: null, expiresAt: { gt: await databaseNow(tx) } },
      _max: { expiresAt: true },
    });
    return { reference, before, shownUntil: _max.expiresAt, isEmailed: channels.includes("email") };
  });
}
