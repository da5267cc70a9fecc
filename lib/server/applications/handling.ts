import type { Db } from "@/lib/server/db/client";
import { Refusal } from "@/lib/server/refusal";
import type { EventKind } from "@/prisma/generated/client";
import { withLocked } from "./find-by-reference";

const record = (tx: Db, applicationId: string, kind: EventKind, by: string, reason = "") =>
  tx.event.create({ data: { applicationId, kind, by, reason } });

async function setTaker(tx: Db, id: string, kind: "taken" | "released", by: string): Promise<void> {
  const takenBy = kind === "taken" ? by : "";
  await tx.application.update({ where: { id }, data: { takenBy }, select: { id: true } });
  await record(tx, id, kind, by);
}

/**
 * Adds a note. An erasure removes notes, so an erased application gets no new ones. With `seen`, the id of the last event that a
 * page showed, a request that is sent twice adds one note. Returns the reference.
 */
export function addNote(typedReference: string, text: string, by: string, seen?: bigint): Promise<string> {
  return withLocked(typedReference, async (tx, { id, reference, erasedAt }) => {
    const same = { applicationId: id, kind: "noted", by, reason: text, id: { gt: seen } } as const;
    if (seen !== undefined && (await tx.event.count({ where: same })) > 0)
      throw new Refusal("You have added this note already.");
    if (erasedAt) throw new Refusal(`${reference} was erased: notes about the person are no longer recorded.`);
    await record(tx, id, "noted", by, text);
    return reference;
  });
}

/**
 * Returns who had taken the application before; empty if nobody had. Throws if it was somebody else, unless a page has shown that
 * person to whoever takes it over.
 */
export function takeApplication(typedReference: string, by: string, shown = "") {
  return withLocked(typedReference, async (tx, { id, reference, takenBy }) => {
    const isOwn = takenBy.toLowerCase() === by.toLowerCase();
    if (takenBy && !isOwn && takenBy !== shown)
      throw new Refusal(
        `${takenBy} is handling ${reference}.`,
        `To take it over, first run 'npm run applications -- release ${reference}'.`,
      );
    if (!isOwn) await setTaker(tx, id, "taken", by);
    return { reference, takenBy };
  });
}

/** Returns who had taken the application; empty if nobody had. Throws if it was not who a page showed. */
export function releaseApplication(typedReference: string, by: string, shown?: string) {
  return withLocked(typedReference, async (tx, { id, reference, takenBy }) => {
    if (shown !== undefined && takenBy && takenBy !== shown)
      throw new Refusal(`${takenBy} has taken it in the meantime.`);
    if (takenBy) await setTaker(tx, id, "released", by);
    return { reference, takenBy };
  });
}
