import "server-only";
import type { Prisma } from "@/prisma/generated/client";

/** By the clock that links are checked with: this machine's own may be wrong, and its links would be expired when issued. */
export async function databaseTime(transaction: Prisma.TransactionClient): Promise<Date> {
  const [row] = await transaction.$queryRaw<{ now: Date }[]>`SELECT now() AS now`;
  if (!row) throw new Error("The database does not tell the time.");
  return row.now;
}
