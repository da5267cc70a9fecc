import "server-only";
import { type Db, prisma } from "@/lib/server/db/client";
import { lockApplications } from "@/lib/server/db/statements";
import type { EventKind } from "@/prisma/generated/client";
import { findByReference } from "./find-by-reference";

interface Handling {
  reference: string;
  isErased: boolean;
  /** Who of the lender has taken it; empty where nobody has. */
  takenBy: string;
}

/** Locked: of two who take an application at once, the second learns that it is taken. */
async function handle(
  given: string,
  work: (tx: Db, id: string, handling: Handling) => Promise<void>,
): Promise<Handling> {
  const { id, reference } = await findByReference(given);
  return prisma().$transaction(async (tx) => {
    await lockApplications(tx, [id]);
    const { takenBy, erasedAt } = await tx.application.findUniqueOrThrow({ where: { id } });
    const handling = { reference, takenBy, isErased: erasedAt !== null };
    await work(tx, id, handling);
    return handling;
  });
}

const record = (tx: Db, applicationId: string, kind: EventKind, by: string, reason = "") =>
  tx.event.create({ data: { applicationId, kind, by, reason } });

const setTaker = (tx: Db, id: string, takenBy: string) =>
  tx.application.update({ where: { id }, data: { takenBy }, select: { id: true } });

/** An erasure removes notes, and later ones are refused. */
export function noteOn(given: string, text: string, by: string): Promise<Handling> {
  return handle(given, async (tx, id, { reference, isErased }) => {
    if (isErased) throw new Error(`${reference} was erased: notes about the person are no longer recorded.`);
    await record(tx, id, "noted", by, text);
  });
}

/** Throws where somebody else has taken it. */
export function takeApplication(given: string, by: string): Promise<Handling> {
  return handle(given, async (tx, id, { reference, takenBy }) => {
    if (takenBy === by) return;
    if (takenBy !== "")
      throw new Error(`${takenBy} has taken ${reference}: 'npm run applications -- release ${reference}' comes first.`);
    await setTaker(tx, id, by);
    await record(tx, id, "taken", by);
  });
}

/** Returns who had taken it. */
export function releaseApplication(given: string, by: string): Promise<Handling> {
  return handle(given, async (tx, id, { takenBy }) => {
    if (takenBy === "") return;
    await setTaker(tx, id, "");
    await record(tx, id, "released", by);
  });
}
