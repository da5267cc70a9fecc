import "server-only";
import { readReference } from "@/lib/domain/reference";
import { prisma } from "@/lib/server/database/prisma";

/** Accepts lower case, and a reference without the dash. Throws an error whose message a command can print. */
export async function findByReference(reference: string): Promise<{ id: string; reference: string; source: string }> {
  const stored = readReference(reference);
  const select = { id: true, reference: true, source: true };
  const found = stored && (await prisma().application.findUnique({ where: { reference: stored }, select }));
  if (!found) throw new Error(`There is no application ${reference}.`);
  return found;
}
