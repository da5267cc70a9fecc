import "server-only";
import type { SubmittedStatus } from "@/lib/domain/journey";
import { storedStatus } from "@/lib/server/database/application-row";
import { prisma } from "@/lib/server/database/prisma";
import { findByReference } from "./find-by-reference";

/** The statuses that operations may set, spelled as in the API ('in-review'). */
export const settableStatuses = ["in-review", "approved", "declined"] as const satisfies readonly SubmittedStatus[];
export type SettableStatus = (typeof settableStatuses)[number];

/** Sets the status of a submitted application and records an event. Throws for a draft. */
export async function setStatus(reference: string, status: SettableStatus, by: string): Promise<string> {
  const application = await findByReference(reference);
  const changed = await prisma().$executeRaw`
    WITH changed AS (
      UPDATE applications SET status = ${storedStatus(status)}::"ApplicationStatus", "updatedAt" = now()
      WHERE id = ${application.id}::uuid AND status <> 'draft' RETURNING id
    )
    INSERT INTO events ("applicationId", kind, detail, by) SELECT id, 'status_changed', ${status}, ${by} FROM changed`;
  if (changed === 0) throw new Error(`${application.reference} has not been submitted yet.`);
  return application.reference;
}
