import "server-only";
import { readReference } from "@/lib/domain/reference";
import { type Db, prisma } from "@/lib/server/db/client";
import type { Application } from "@/prisma/generated/client";

/** Accepts lower case, and a reference without the dash. Throws an error whose message a command can print. */
export async function findByReference(
  given: string,
  db: Db = prisma(),
): Promise<Pick<Application, "id" | "reference" | "source">> {
  const reference = readReference(given);
  const found =
    reference === null
      ? null
      : await db.application.findUnique({
          where: { reference },
          select: { id: true, reference: true, source: true },
        });
  if (!found) throw new Error(`There is no application ${given}.`);
  return found;
}
