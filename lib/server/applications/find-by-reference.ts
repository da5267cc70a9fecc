import { readReference } from "@/lib/domain/reference";
import { type Db, prisma } from "@/lib/server/db/client";
import { retryOnDeadlock } from "@/lib/server/db/errors";
import { lockApplications } from "@/lib/server/db/locks";
import { Refusal } from "@/lib/server/refusal";
import type { Application } from "@/prisma/generated/client";

/** Accepts a reference in lower case or without its dash. Throws a Refusal. */
export async function findByReference(typed: string, db: Db = prisma()) {
  const reference = readReference(typed);
  const found = reference && (await db.application.findUnique({ where: { reference } }));
  if (!found) throw new Refusal(`There is no application ${typed}.`);
  return found;
}

/** Runs `work` in a transaction that has locked the application and then read it. */
export async function withLocked<T>(typed: string, work: (tx: Db, application: Application) => Promise<T>): Promise<T> {
  const { id } = await findByReference(typed);
  const run = async (tx: Db) => {
    await lockApplications(tx, [id]);
    return work(tx, await tx.application.findUniqueOrThrow({ where: { id } }));
  };
  return retryOnDeadlock(() => prisma().$transaction(run));
}
