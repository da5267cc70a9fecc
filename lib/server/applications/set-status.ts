import "server-only";
import type { SubmittedStatus } from "@/lib/domain/journey";
import { statusOf, storedStatus } from "@/lib/server/db/application-row";
import { prisma } from "@/lib/server/db/prisma";
import { dueOnStatus } from "@/lib/server/messages/outbox/due";
import { dueSql } from "@/lib/server/messages/outbox/due-sql";
import type { Application } from "@/prisma/generated/client";
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
 * Sets the status of a submitted application, also back, records who did it and why, and tells those concerned. By the SQL function
 * set_application_status: operations may call it, but not write a status themselves. Throws for a draft.
 * The row is locked by a statement of its own: the next one would otherwise read the application as it was before it waited
 * for an erasure, and write to the address that was erased.
 */
export async function setStatus(given: string, status: SettableStatus, { by, reason = "" }: Cause): Promise<Change> {
  const { id, reference } = await findByReference(given);
  const stored = storedStatus(status);
  const due = dueOnStatus(status);
  const lock = prisma().$executeRaw`SELECT FROM applications WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  const change = prisma().$queryRaw<{ before: Application["status"]; shownUntil: Date | null; told: string[] }[]>`
    WITH changed AS MATERIALIZED (
      SELECT set_application_status(${id}::uuid, ${stored}::"ApplicationStatus", ${by}, ${reason}) AS before
    ), about AS (
      SELECT a.* FROM changed, applications a
      WHERE a.id = ${id}::uuid AND a."erasedAt" IS NULL AND before NOT IN ('draft', ${stored}::"ApplicationStatus")
    ), told AS (
      ${dueSql("about", due, by)} RETURNING channel
    )
    SELECT before, ARRAY(SELECT channel::text FROM told) AS told,
      (SELECT max("expiresAt") FROM links
       WHERE "applicationId" = ${id}::uuid AND "revokedAt" IS NULL AND "expiresAt" > now()) AS "shownUntil"
    FROM changed`;
  const [, [changed]] = await prisma().$transaction([lock, change]);
  const before = changed && statusOf(changed.before);
  if (!before || before === "draft") throw new Error(`${reference} has not been submitted yet.`);
  return { reference, before, shownUntil: changed.shownUntil, isEmailed: changed.told.includes("email") };
}
