import type { ApplicationStatus } from "@/lib/domain/statuses";
import { storedStatus } from "@/lib/server/db/application-row";
import { type Db, prisma } from "@/lib/server/db/client";
import { retryOnDeadlock } from "@/lib/server/db/errors";
import { eraseSomeOld, findSomeOld, type Retention } from "@/lib/server/db/retention";
import { Refusal } from "@/lib/server/refusal";
import type { Application } from "@/prisma/generated/client";
import { withLocked } from "./find-by-reference";

/** The times that differ once an application has been changed or erased. */
export type ChangeTimes = Pick<Application, "updatedAt" | "erasedAt">;

/** What the operator confirms. */
export const erasureInWords = `This erases the answers, the invitation's values, and everything that names the person in messages and events. Links stop working.
It cannot be undone.`;

/**
 * Erases the personal data of an application, submitted or not, and revokes its links. The SQL function
 * erase_applications lists what is kept. Throws if the application has changed since the operator confirmed it `asShown`, or
 * since the event `seen`.
 */
export function eraseApplication(
  typedReference: string,
  by: string,
  asShown?: ChangeTimes,
  seen?: string,
): Promise<string> {
  const erase = async (tx: Db, { id, reference, updatedAt, erasedAt }: Application) => {
    const hasChanged = asShown && (+updatedAt !== +asShown.updatedAt || +(erasedAt ?? 0) !== +(asShown.erasedAt ?? 0));
    if (hasChanged)
      throw new Refusal(`${reference} has changed in the meantime. Nothing was erased.`, "Run the command again.");
    await eraseApplications(tx, [id], by);
    return reference;
  };
  return withLocked(typedReference, erase, seen);
}

async function eraseApplications(db: Db, ids: string[], by: string): Promise<number> {
  // Raw: a SECURITY DEFINER function, because nobody but the owner may change events or consent records.
  const [row] = await db.$queryRaw<[{ erased: number }]>`SELECT erase_applications(${ids}::uuid[], ${by}) AS erased`;
  return row.erased;
}

/** Whether the submitted answers were erased. A draft may be erased, filled in again and then submitted with an email address. */
export function isErasedSubmission({ status, erasedAt, email }: Pick<Application, "status" | "erasedAt" | "email">) {
  return status !== "draft" && erasedAt !== null && email === "";
}

/** Applications per transaction: few enough for the statement time limit, and so that saves hardly wait. */
const batchSize = 500;
/** Applications that one statement reads: few enough for its time limit, even if each is looked up on disk. */
const readSize = 2000;
const [lowestId, highestId] = ["00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"];

/**
 * Retention: erases applications of a status that have not changed for `months` months. Commits each batch separately and
 * reports the number erased so far after each full batch. Returns the total. Tests read fewer at a time.
 */
export async function eraseOld(
  status: ApplicationStatus,
  months: number,
  by: string,
  report: (erased: number) => void = () => {},
  read = readSize,
): Promise<number> {
  let after: string | null = lowestId;
  let total = 0;
  while (after !== null) {
    const end: string | null = await idAfter(after, read);
    const batch: Retention = { status: storedStatus(status), months, by, after, to: end ?? highestId, most: batchSize };
    const { erased, last } = await retryOnDeadlock(() => prisma().$transaction((tx) => eraseSomeOld(tx, batch)));
    total += erased;
    after = last ?? end;
    if (last !== null) report(total);
  }
  return total;
}

/** The applications that retention would erase now, the one that changed longest ago first. */
export async function findOld(status: ApplicationStatus, months: number) {
  const found: Awaited<ReturnType<typeof findSomeOld>> = [];
  for (let after: string | null = lowestId; after !== null; ) {
    const end: string | null = await idAfter(after, readSize);
    found.push(...(await findSomeOld(prisma(), { status: storedStatus(status), months, after, to: end ?? highestId })));
    after = end;
  }
  return found.sort((left, right) => Number(left.updatedAt) - Number(right.updatedAt));
}

/** The id that is `count` applications after this one; null if there are fewer. */
async function idAfter(id: string, count: number): Promise<string | null> {
  const next = { where: { id: { gt: id } }, orderBy: { id: "asc" }, skip: count - 1, select: { id: true } } as const;
  return (await prisma().application.findFirst(next))?.id ?? null;
}
