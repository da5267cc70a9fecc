import "server-only";
import { prisma } from "@/lib/server/db/client";
import type { Prisma } from "@/prisma/generated/client";

/** Who reads personal data, before it is shown. Never the words that were looked for: they name people. */
export async function recordRead(read: Pick<Prisma.DataReadCreateManyInput, "by" | "command" | "count" | "reference">) {
  await prisma().dataRead.createMany({ data: [read] });
}
