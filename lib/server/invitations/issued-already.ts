import "server-only";
import { type Db, prisma } from "@/lib/server/db/client";
import { databaseNow, knownTokenHashes, lockMobiles } from "@/lib/server/db/statements";
import { hashToken } from "@/lib/server/links/token";

/** By mobile, the reference of an application other than `own` that is not submitted and has a live link. */
export async function openApplications(mobiles: string[], db: Db = prisma(), own = ""): Promise<Map<string, string>> {
  const live = { revokedAt: null, expiresAt: { gt: await databaseNow(db) } };
  const found = await db.application.findMany({
    where: { mobile: { in: mobiles }, status: "draft", links: { some: live }, reference: { not: own } },
    select: { mobile: true, reference: true },
  });
  return new Map(found.map(({ mobile, reference }) => [mobile, reference]));
}

/**
 * Throws where another application of that mobile is open. It holds a lock on the mobile until the transaction ends, as whatever
 * invites does: of two invitations or corrections at the same moment only one passes.
 */
export async function requireNoOpen(tx: Db, mobile: string | undefined, own?: string): Promise<void> {
  if (!mobile) return;
  await lockMobiles(tx, [mobile]);
  await refuseOpen(tx, [mobile], own);
}

/** The mobiles have to be locked. */
export async function refuseOpen(tx: Db, mobiles: string[], own?: string): Promise<void> {
  const [open] = await openApplications(mobiles, tx, own);
  if (open) throw new Error(`mobile ${open[0]} has an open application, ${open[1]} (--allow-duplicates)`);
}

export interface Listed {
  reference: string;
  batch: string;
}

/** By the hash of its row, the application that a list has made already: in this batch, or without one in any. */
export async function listedApplications(batch: string, rowHashes: string[]): Promise<Map<string, Listed>> {
  const found = await prisma().application.findMany({
    where: { rowHash: { in: rowHashes }, ...(batch ? { batch } : {}) },
    select: { rowHash: true, reference: true, batch: true },
  });
  return new Map(found.map(({ rowHash, ...listed }) => [rowHash ?? "", listed]));
}

/** Which of these links the database knows: one that was written to a file and never committed opens nothing. */
export async function knownLinks(links: string[]): Promise<Set<string>> {
  const hashes = links.map(hashOf);
  const byHash = new Map(links.map((link, index) => [Buffer.from(hashes[index] ?? []).toString("hex"), link]));
  return new Set((await knownTokenHashes(prisma(), hashes)).map((hash) => byHash.get(hash) ?? ""));
}

function hashOf(link: string): Uint8Array<ArrayBuffer> {
  const token = URL.canParse(link) ? new URL(link).searchParams.get("token") : null;
  return hashToken(token ?? "");
}
