import "server-only";
import { Prisma } from "@/prisma/generated/client";

/** Computed as addressHash does (lib/server/messages/suppressions.ts), so that it can be joined. */
const hashOf = (channel: string, column: Prisma.Sql) =>
  Prisma.sql`encode(sha256(convert_to(${channel}::text || ':' || lower(${column}), 'UTF8')), 'hex')`;

/** Of the application `a`: an address or number that was invited wants no invitations. */
export const isOptedOut = Prisma.sql`EXISTS (
  SELECT FROM suppressions s
  WHERE (s.channel = 'email' AND s."addressHash" = ${hashOf("email", Prisma.sql`a."invitedEmail"`)})
    OR (s.channel = 'sms' AND s."addressHash" = ${hashOf("sms", Prisma.sql`a."invitedMobile"`)}))`;

export async function hasStopped(transaction: Prisma.TransactionClient, applicationId: string): Promise<boolean> {
  const rows = await transaction.$queryRaw<unknown[]>`
    SELECT FROM applications a WHERE a.id = ${applicationId}::uuid AND ${isOptedOut}`;
  return rows.length > 0;
}
