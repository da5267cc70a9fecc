import { createHash } from "node:crypto";
import { PrismaPg } from "@prisma/adapter-pg";
import { PrismaClient } from "../generated/client";

globalThis.prisma ??= new PrismaClient({ adapter: new PrismaPg({ connectionString: process.env.DATABASE_URL }) });
export const prisma = globalThis.prisma;

/** The live link of a token, with its application, or null. */
export async function findByToken(token) {
  const tokenHash = createHash("sha256").update(token).digest();
  const found = await prisma.linkToken.findUnique({
    where: { tokenHash },
    include: { link: { include: { application: { include: { consentRecord: true } } } } },
  });
  const link = found?.link;
  return link && !link.revokedAt && link.expiresAt > new Date() ? link : null;
}
