import type { InvitedAnswers } from "@/lib/domain/application";
import { prisma } from "@/lib/server/db/client";
import { createInvitations } from "@/lib/server/invitations/create-invitations";

interface Terms {
  source?: string;
  expiresInDays?: number;
  batch?: string;
  send?: boolean;
}

/** Creates an application with a link. Unlike `npm run invite`, it does not require a mobile. */
export async function invited(
  fields: Partial<InvitedAnswers> = {},
  { source = "ba", expiresInDays = 30, batch, send }: Terms = {},
) {
  const quotes = fields.invoiceAmount ? [fields.invoiceAmount] : [];
  const invitation = { answers: fields, quotes, source, expiresDays: expiresInDays, consentBasis: "" };
  const [issued] = await createInvitations([invitation], { batch, send });
  if (!issued) throw new Error("Nobody was invited");
  const { reference, token } = issued;
  const { id } = await prisma().application.findUniqueOrThrow({ where: { reference } });
  return { token, reference, id };
}
