import { type Db, prisma } from "@/lib/server/db/client";
import { retryOnDeadlock } from "@/lib/server/db/errors";
import { lockApplications } from "@/lib/server/db/statements";
import type { EventKind } from "@/prisma/generated/client";
import { findByReference } from "./find-by-reference";

interface Handling {
  reference: string;
  isErased: boolean;
  /** The member of operations who has taken the application; empty if nobody has. */
  takenBy: string;
}

/** Runs `work` on the locked application: if two people take it at once, the second learns that it is taken. */
async function handle(
  typedReference: string,
  work: (tx: Db, id: string, handling: Handling) => Promise<void>,
): Promise<Handling> {
  const { id, reference } = await findByReference(typedReference);
  const run = async (tx: Db) => {
    await lockApplications(tx, [id]);
    const { takenBy, erasedAt } = await tx.application.findUniqueOrThrow({ where: { id } });
    const handling = { reference, takenBy, isErased: erasedAt !== null };
    await work(tx, id, handling);
    return handling;
  };
  return retryOnDeadlock(() => prisma().$transaction(run));
}

const record = (tx: Db, applicationId: string, kind: EventKind, by: string, reason = "") =>
  tx.event.create({ data: { applicationId, kind, by, reason } });

const setTaker = (tx: Db, id: string, takenBy: string) =>
  tx.application.update({ where: { id }, data: { takenBy }, select: { id: true } });

/** Adds a note. An erasure removes notes, so an erased application gets no new ones. */
export function addNote(typedReference: string, text: string, by: string): Promise<Handling> {
  return handle(typedReference, async (tx, id, { reference, isErased }) => {
    if (isErased) throw new Error(`${reference} was erased: notes about the person are no longer recorded.`);
    await record(tx, id, "noted", by, text);
  });
}

/** Throws if somebody else has taken the application. */
export function takeApplication(typedReference: string, by: string): Promise<Handling> {
  return handle(typedReference, async (tx, id, { reference, takenBy }) => {
    if (takenBy === by) return;
    if (takenBy !== "")
      throw new Error(
        `${takenBy} is handling ${reference}. To take it over, first run 'npm run applications -- release ${reference}'.`,
      );
    await setTaker(tx, id, by);
    await record(tx, id, "taken", by);
  });
}

/** Returns who had taken the application. */
export function releaseApplication(typedReference: string, by: string): Promise<Handling> {
  return handle(typedReference, async (tx, id, { takenBy }) => {
    if (takenBy === "") return;
    await setTaker(tx, id, "");
    await record(tx, id, "released", by);
  });
}
