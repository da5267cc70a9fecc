import "server-only";
import { query } from "@/lib/server/db/query";
import { hashToken } from "@/lib/server/links/token";

/** By mobile, the reference of an application that is not submitted and has a live link. */
export async function openApplications(mobiles: string[]): Promise<Map<string, string>> {
  const { rows } = await query<{ mobile: string; reference: string }>({
    text: `SELECT mobile, reference FROM applications AS a WHERE mobile = ANY ($1) AND status = 'draft' AND EXISTS (
      SELECT FROM links WHERE "applicationId" = a.id AND "revokedAt" IS NULL AND "expiresAt" > now())`,
    values: [mobiles],
  });
  return new Map(rows.map(({ mobile, reference }) => [mobile, reference]));
}

export interface Listed {
  reference: string;
  batch: string;
}

/** By the hash of its row, the application that a list has made already: in this batch, or without one in any. */
export async function listedApplications(batch: string, rowHashes: string[]): Promise<Map<string, Listed>> {
  const { rows } = await query<Listed & { rowHash: string }>({
    text: `SELECT "rowHash", reference, batch FROM applications WHERE "rowHash" = ANY ($1) AND ($2 = '' OR batch = $2)`,
    values: [rowHashes, batch],
  });
  return new Map(rows.map(({ rowHash, ...listed }) => [rowHash, listed]));
}

/** Which of these links the database knows: one that was written to a file and never committed opens nothing. */
export async function knownLinks(links: string[]): Promise<Set<string>> {
  const byHash = new Map(links.map((link) => [hashOf(link), link]));
  const { rows } = await query<{ hash: string }>({
    text: "SELECT encode(known, 'hex') AS hash FROM known_token_hashes($1) AS known",
    values: [[...byHash.keys()].map((hash) => Buffer.from(hash, "hex"))],
  });
  return new Set(rows.map(({ hash }) => byHash.get(hash) ?? ""));
}

function hashOf(link: string): string {
  const token = URL.canParse(link) ? new URL(link).searchParams.get("token") : null;
  return Buffer.from(hashToken(token ?? "")).toString("hex");
}
