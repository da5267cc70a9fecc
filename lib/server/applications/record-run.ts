import { type Db, prisma } from "@/lib/server/db/client";
import type { Prisma } from "@/prisma/generated/client";

/**
 * Records who runs a command that reads personal data, before it is shown, or that changes something without an event. Search
 * words are not recorded, because they name people.
 */
export async function recordRun(
  run: Pick<Prisma.DataReadCreateManyInput, "by" | "command" | "count" | "reference">,
  db: Db = prisma(),
) {
  await db.dataRead.createMany({ data: [run] });
}
