import "server-only";
import { query } from "@/lib/server/database/query";

/** By mobile, the reference of an application that is not submitted and has a live link. */
export async function openApplications(mobiles: string[]): Promise<Map<string, string>> {
  const { rows } = await query<{ mobile: string; reference: string }>({
    text: `SELECT mobile, reference FROM applications AS a WHERE mobile = ANY ($1) AND status = 'draft' AND EXISTS (
      SELECT FROM links WHERE "applicationId" = a.id AND "revokedAt" IS NULL AND "expiresAt" > now())`,
    values: [mobiles],
  });
  return new Map(rows.map(({ mobile, reference }) => [mobile, reference]));
}

/** Which of these references the database has. */
export async function knownReferences(references: string[]): Promise<Set<string>> {
  const { rows } = await query<{ reference: string }>({
    text: "SELECT reference FROM applications WHERE reference = ANY ($1)",
    values: [references],
  });
  return new Set(rows.map(({ reference }) => reference));
}
