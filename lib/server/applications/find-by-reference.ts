import { readReference } from "@/lib/domain/reference";
import { type Db, prisma } from "@/lib/server/db/client";
import { retryOnDeadlock } from "@/lib/server/db/errors";
import { lockApplications } from "@/lib/server/db/locks";
import { Refusal } from "@/lib/server/refusal";
import type { Application } from "@/prisma/generated/client";
import { refuseIfChanged } from "./refuse-if-changed";

/** Accepts a reference in lower case or without its dash. Throws a Refusal. */
export async function findByReference(typed: string, db: Db = prisma()) {
  const reference = readReference(typed);
  const found = reference && (await db.application.findUnique({ where: { reference } }));
  if (!found) throw new Refusal(`There is no application ${typed}.`);
  return found;
}

/**
 * Runs `work` in a transaction that has locked the application and then read it. Refuses if the application has changed since
 * `seen`, the id of an event.
 */
export async function withLocked<T>(
  typed: string,
  work: (tx: Db, application: Application) => Promise<T>,
  seen?: string,
): Promise<T> {
  const { id, reference } = await findByReference(typed);
  const run = async (tx: Db) => {
    await lockApplications(tx, [id]);
    if (seen !== undefined) await refuseIfChanged(tx, { id, reference }, seen);
    return work(tx, await tx.application.findUniqueOrThrow({ where: { id } }));
  };
  return retryOnDeadlock(() => prisma().$transaction(run));
}
