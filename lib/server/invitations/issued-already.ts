import { type Db, prisma } from "@/lib/server/db/client";
import { transactionTime } from "@/lib/server/db/locks";
import { hashToken, liveAt } from "@/lib/server/links/token";
import { Refusal } from "@/lib/server/refusal";
import type { Application } from "@/prisma/generated/client";

/** Maps mobiles to the reference of an open application, other than `own`: a draft with a live link. */
export async function openApplications(mobiles: string[], db: Db = prisma(), own = ""): Promise<Map<string, string>> {
  const live = liveAt(await transactionTime(db));
  const found = await db.application.findMany({
    where: { mobile: { in: mobiles }, status: "draft", links: { some: live }, reference: { not: own } },
    select: { mobile: true, reference: true },
  });
  return new Map(found.map(({ mobile, reference }) => [mobile, reference]));
}

/** Throws if one of the mobiles has an open application. The mobiles must be locked. */
export async function requireNoOpenApplication(tx: Db, mobiles: string[], own?: string): Promise<void> {
  const [open] = await openApplications(mobiles, tx, own);
  if (open)
    throw new Refusal(`Mobile ${open[0]} has an open application, ${open[1]}.`, "--allow-duplicates allows a second.");
}

export type ExistingRow = Pick<Application, "reference" | "batch">;

/** Maps row hashes of a list to the applications that exist for them: in `batch` or, if it is empty, in any batch. */
export async function findByRowHash(batch: string, rowHashes: string[]): Promise<Map<string, ExistingRow>> {
  const found = await prisma().application.findMany({
    where: { rowHash: { in: rowHashes }, ...(batch ? { batch } : {}) },
    select: { rowHash: true, reference: true, batch: true },
  });
  return new Map(found.map(({ rowHash, ...existing }) => [rowHash ?? "", existing]));
}

/** Returns the links that the database knows. A link that was written to a file but never committed does not work. */
export async function findExistingLinks(links: string[]): Promise<Set<string>> {
  const hashes = links.map((link) => hashToken((URL.canParse(link) && new URL(link).searchParams.get("token")) || ""));
  const byHash = new Map(links.map((link, index) => [Buffer.from(hashes[index] ?? []).toString("hex"), link]));
  return new Set((await knownTokenHashes(prisma(), hashes)).map((hash) => byHash.get(hash) ?? ""));
}

async function knownTokenHashes(db: Db, hashes: Uint8Array<ArrayBuffer>[]): Promise<string[]> {
  // Raw: a SECURITY DEFINER function, because operations may not read hashes.
  const rows = await db.$queryRaw<{ hash: string }[]>`
    SELECT encode(known, 'hex') AS hash FROM known_token_hashes(${hashes}::bytea[]) AS known`;
  return rows.map(({ hash }) => hash);
}
