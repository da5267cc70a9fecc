import { randomInt } from "node:crypto";
import type { InvitedAnswers } from "@/lib/domain/application";
import { makeReference } from "@/lib/domain/reference";
import { hashToken, makeToken } from "@/lib/server/access/token";
import { database } from "@/lib/server/database/client";

interface Terms {
  source?: string;
  expiresInDays?: number;
}

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);

/** Sends somebody a link: what the lender knows of them already, and under which terms. */
export async function invited(known: Partial<InvitedAnswers> = {}, { source = "ba", expiresInDays = 30 }: Terms = {}) {
  const { invoiceAmount, ...texts } = known;
  const token = makeToken();
  const beside = Object.fromEntries(
    Object.entries(known).map(([field, value]) => [`invited${field.charAt(0).toUpperCase()}${field.slice(1)}`, value]),
  );
  const { reference, id } = await database().prisma.application.create({
    data: {
      reference: makeReference(randomInt),
      source,
      ...texts,
      ...(invoiceAmount ? { invoiceAmount } : {}),
      ...beside,
      links: { create: { token: { create: { tokenHash: hashToken(token) } }, expiresAt: inDays(expiresInDays) } },
    },
  });
  return { token, reference, id };
}
