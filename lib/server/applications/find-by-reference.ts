import "server-only";
import { readReference } from "@/lib/domain/reference";
import { prisma } from "@/lib/server/database/prisma";
import type { Application } from "@/prisma/generated/client";

/** The application that operations name by its reference, in any case, with or without the dash. Throws a plain sentence. */
export async function findByReference(reference: string): Promise<Application> {
  const stored = readReference(reference);
  const found = stored && (await prisma().application.findUnique({ where: { reference: stored } }));
  if (!found) throw new Error(`There is no application ${reference}.`);
  return found;
}
