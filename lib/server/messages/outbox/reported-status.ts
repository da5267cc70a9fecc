import "server-only";
import type { SubmittedStatus } from "@/lib/domain/journey";
import type { Db } from "@/lib/server/db/client";

/** The status that the applicant was last written about, by the messages before `number` if it is given. */
export async function reportedStatus(db: Db, applicationId: string, number?: bigint): Promise<SubmittedStatus> {
  const last = await db.message.findFirst({
    where: {
      ...{ applicationId, kind: "status", state: { notIn: ["waiting", "failed", "cancelled"] } },
      ...(number === undefined ? {} : { number: { lt: number } }),
    },
    orderBy: { number: "desc" },
  });
  return (last?.detail as SubmittedStatus | undefined) ?? "submitted";
}
