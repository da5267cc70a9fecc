import { readReference } from "@/lib/domain/reference";
import { type Db, prisma } from "@/lib/server/db/client";
import type { Application } from "@/prisma/generated/client";

/** Accepts a reference in lower case or without its dash. Throws an error whose message a command can print. */
export async function findByReference(
  typed: string,
  db: Db = prisma(),
): Promise<Pick<Application, "id" | "reference" | "source">> {
  const reference = readReference(typed);
  const found =
    reference === null
      ? null
      : await db.application.findUnique({
          where: { reference },
          select: { id: true, reference: true, source: true },
        });
  if (!found) throw new Error(`There is no application ${typed}.`);
  return found;
}
