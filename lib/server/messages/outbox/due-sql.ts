import "server-only";
import { Prisma } from "@/prisma/generated/client";
import { type Due, insertDue } from "./due";

/** The same for a statement that is composed with Prisma, whose client loads for a while: verifying a link does without. */
export function dueSql(from: string, dues: Due[], by = ""): Prisma.Sql {
  const parts = insertDue(from, { by: "\0", dues: "\0" }).split("\0");
  return Prisma.sql(parts, by, JSON.stringify(dues));
}
