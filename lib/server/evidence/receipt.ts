import type { Db } from "@/lib/server/db/client";
import type { EvidenceLeaf } from "@/prisma/generated/client";
import { type Head, lookupIn, storedLeaves } from "./append";
import type { KeyEntry } from "./key";
import { hashedFields } from "./record-hash";
import { consistencyRanges, inclusionRanges, leavesFor, rangeHash } from "./tree";

/** What leaves the database with a submission: its leaf, and the first head of the log that covers it. */
export interface Evidence {
  leaf: { index: number; hash: string };
  head: Head;
}

/** Everything needed to check offline what was agreed (docs/evidence.md). evidence-verify.mjs reads it. */
export interface EvidenceReceipt extends Evidence {
  record: ReturnType<typeof hashedFields>;
  /** Proves that the leaf is in the log of `head`. */
  inclusion: string[];
  /** The head in the submission's messages, and the proof that the log of `head` begins with its log. */
  first: { head: Head; consistency: string[] };
  keys: KeyEntry[];
}

export function headOf({ index, root, at, key, signature }: EvidenceLeaf): Head {
  const head = { size: Number(index) + 1, root: root ?? "", at: at.toISOString() };
  return key && signature ? { ...head, key, signature } : head;
}

const lastHead = (db: Db) => db.evidenceLeaf.findFirst({ where: { root: { not: null } }, orderBy: { index: "desc" } });

const leafOf = ({ index, hash }: EvidenceLeaf) => ({ index: Number(index), hash });

async function keysBefore(db: Db, end: number): Promise<KeyEntry[]> {
  const isKey = { entry: { not: null }, index: { lt: end } };
  const leaves = await db.evidenceLeaf.findMany({ where: isKey, orderBy: { index: "asc" } });
  return leaves.map(({ entry }) => JSON.parse(entry ?? "{}"));
}

/** The evidence of an application's submission; null while it has no leaf. Without an application, that of the last head. */
export async function evidenceOf(db: Db, applicationId: string | null): Promise<Evidence | null> {
  const leaf = applicationId ? await submissionLeaf(db, applicationId) : await lastHead(db);
  const head = leaf && (await firstHead(db, leaf));
  return leaf && head ? { leaf: leafOf(leaf), head: headOf(head) } : null;
}

const submissionLeaf = (db: Db, applicationId: string) =>
  db.evidenceLeaf.findFirst({ where: { event: { applicationId, kind: "submitted" } } });

const firstHead = (db: Db, { index }: EvidenceLeaf) =>
  db.evidenceLeaf.findFirst({ where: { index: { gte: index }, root: { not: null } }, orderBy: { index: "asc" } });

/** Null before the submission has a leaf, and after the erasure of what was submitted. */
export async function evidenceReceipt(db: Db, applicationId: string): Promise<EvidenceReceipt | null> {
  const found = await db.consentRecord.findUnique({
    where: { applicationId },
    include: { application: { select: { reference: true } } },
  });
  const leaf = await submissionLeaf(db, applicationId);
  // Read in this order, the last head is never before the first one that covers the leaf.
  const first = leaf && (await firstHead(db, leaf));
  const last = await lastHead(db);
  // An erasure removes the answers. One that came before the submission does not count.
  if (!found || found.answers === null || !leaf || !first || !last) return null;
  const { application, ...record } = found;
  const { index, hash } = leafOf(leaf);
  const [head, coveringHead] = [headOf(last), headOf(first)];
  const inclusion = inclusionRanges(index, [0, head.size]);
  const consistency = consistencyRanges(coveringHead.size, [0, head.size]);
  const lookup = lookupIn(await storedLeaves(db, leavesFor([...inclusion, ...consistency])));
  return {
    record: hashedFields({ ...record, reference: application.reference }),
    leaf: { index, hash },
    inclusion: inclusion.map((range) => rangeHash(range, lookup)),
    head,
    first: { head: coveringHead, consistency: consistency.map((range) => rangeHash(range, lookup)) },
    // A backlog that is still being appended may have a later key, and no head yet.
    keys: await keysBefore(db, head.size),
  };
}
