import "server-only";
import { query } from "@/lib/server/db/query";
import type { Visit } from "@/lib/server/http/call";
import { unknownToken } from "@/lib/server/http/call-error";
import { isLive } from "@/lib/server/links/find-by-token";
import { Prisma } from "@/prisma/generated/client";

/**
 * Locks a call's application, then its link, for the statement that writes. Postgres waits for an erasure, a revocation or
 * another submission that is under way, and checks the conditions again: no row if the link has ended or the application has
 * been submitted since the call found them.
 */
export function lockDraft({ row, linkId }: Visit): Prisma.Sql {
  return Prisma.sql`
    SELECT a.id FROM applications a JOIN links l ON l."applicationId" = a.id
    WHERE a.id = ${row.id}::uuid AND l.id = ${linkId}::uuid AND a.status = 'draft' AND ${Prisma.raw(isLive)}
    FOR NO KEY UPDATE OF a FOR SHARE OF l`;
}

/** Throws 401 if the link of a call has ended since the call found it. */
export async function requireLiveLink({ linkId }: Visit): Promise<void> {
  const { count } = await query({ text: `SELECT FROM links l WHERE l.id = $1 AND ${isLive}`, values: [linkId] });
  if (count === 0) throw unknownToken();
}
