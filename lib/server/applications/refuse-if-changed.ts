import type { Db } from "@/lib/server/db/client";
import { Refusal } from "@/lib/server/refusal";
import type { Application } from "@/prisma/generated/client";
import { deskEventParts } from "./application-words";

/** The id of the last event that a page showed, as its form sends it. Anything else counts as none. */
export const eventId = (typed: string) => BigInt(/^\d{1,18}$/.test(typed) ? typed : 0);

/**
 * Refuses with what has happened since `seen`, the id of the last event that a page showed, so that nobody acts on what is
 * outdated. Who calls this within a transaction has locked the application.
 */
export async function refuseIfChanged(
  db: Db,
  { id: applicationId, reference }: Pick<Application, "id" | "reference">,
  seen: string,
): Promise<void> {
  const since = await db.event.findMany({
    where: { applicationId, id: { gt: eventId(seen) } },
    orderBy: { id: "asc" },
    omit: { address: true },
  });
  if (since.length === 0) return;
  const happened = since.map((event) => deskEventParts(event).join(" ")).join("; ");
  throw new Refusal(
    `${reference} has changed since you opened this page: ${happened}. Nothing was done. Look at the application as it is now before you go on.`,
  );
}
