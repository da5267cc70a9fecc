import "server-only";
import { readReference } from "@/lib/domain/reference";
import { prisma } from "@/lib/server/database/prisma";

/** The application that operations name by its reference, in any case, with or without the dash. Throws a plain sentence. */
export async function findByReference(reference: string): Promise<{ id: string; reference: string; source: string }> {
  const stored = readReference(reference);
  const select = { id: true, reference: true, source: true };
  const found = stored && (await prisma().application.findUnique({ where: { reference: stored }, select }));
  if (!found) throw new Error(`There is no application ${reference}.`);
  return found;
}
