import { canonicalize } from "json-canonicalize";
import { dayIn } from "@/lib/domain/zone-time";
import type { Db } from "@/lib/server/db/client";
import { insertAll } from "@/lib/server/db/insert-all";
import { lockEvidenceLog } from "@/lib/server/db/locks";
import { enqueueOnceOn } from "@/lib/server/outbox/enqueue";
import { repeatUntilAborted } from "@/lib/server/repeat-until-aborted";
import { currentSettings } from "@/lib/server/settings";
import type { Event, EventKind, EvidencePending, PrismaClient } from "@/prisma/generated/client";
import { type EvidenceKey, evidenceKey, type KeyEntry } from "./key";
import { completed, leafHash, leavesFor, rangeHash, type StoredLeaf } from "./tree";

/** A head of the log: the signed statement that leaves the database. Without a key it has no `key` and no `signature`. */
export interface Head {
  size: number;
  /** In hex. */
  root: string;
  at: string;
  /** The public Ed25519 key. Key and signature are in base64; the signature covers the other fields. */
  key?: string;
  signature?: string;
}

/** The events that have a leaf, besides a submission. */
export const leafKinds: Partial<Record<EventKind, string>> = {
  status_changed: "decision",
  erased: "erasure",
  link_reissued: "reissue",
};

/**
 * The entry that the leaf of an event hashes. An erasure keeps all of it: of a consent the hash of the record, and of a reason
 * its hash, each of which covers its own salt.
 */
export function entryOf(event: Event, reference: string, recordHash: string | null): object {
  if (event.kind === "submitted") return { kind: "consent", record: recordHash };
  const { at, by, databaseUser, detail, kind, linkId, reasonHash } = event;
  return { kind: leafKinds[kind], reference, at: at.toISOString(), by, databaseUser, detail, linkId, reasonHash };
}

const pollMs = 250;
const batchSize = 1000;

/**
 * UnknownEvidenceKey: the last key of the log has not signed the key that is set, so that key may not sign anything.
 * ReplacedEvidenceKey: the log has a later key than the one that is set. Another process appends with that key; this one has to
 * be restarted.
 */
const keyError = (name: "UnknownEvidenceKey" | "ReplacedEvidenceKey") => Object.assign(new Error(), { name });

export async function runEvidenceLog(db: PrismaClient, signal: AbortSignal, report: (error: unknown) => void) {
  const key = evidenceKey();
  let isKeyChecked = false;
  let mailedOn = "";
  await repeatUntilAborted(pollMs, signal, report, async () => {
    await appendAll(db);
    // Checked only now: of two processes that start at once with different first keys, the log takes that of one.
    if (key && !isKeyChecked && (await relationOf(db, key)) === "unrelated") report(keyError("UnknownEvidenceKey"));
    isKeyChecked = true;
    mailedOn = await enqueueDailyHead(db, mailedOn);
  });
}

/** Enqueues the email with the head of the log once a day. Returns the day of the last one. */
export async function enqueueDailyHead(db: PrismaClient, mailedOn: string): Promise<string> {
  const { EVIDENCE_EMAIL, brand } = currentSettings();
  const day = dayIn(new Date(), brand);
  if (!EVIDENCE_EMAIL || day === mailedOn || (await lastLeaf(db)) === null) return mailedOn;
  await enqueueOnceOn(day, db, "evidence-head", EVIDENCE_EMAIL);
  return day;
}

/** Appends a leaf for everything that was committed before the call. */
export async function appendAll(db: PrismaClient): Promise<void> {
  const key = evidenceKey();
  while ((await db.evidencePending.findFirst()) !== null || (await isNew(db, key))) {
    await db.$transaction((tx) => appendSome(tx, key));
  }
}

export async function lastKey(db: Db): Promise<KeyEntry | null> {
  const leaf = await db.evidenceLeaf.findFirst({ where: { entry: { not: null } }, orderBy: { index: "desc" } });
  return leaf?.entry ? JSON.parse(leaf.entry) : null;
}

/**
 * How a key relates to the log's last key. A key that this one has not signed is unrelated: the log then grows unsigned. A key
 * that the log names before a later one is replaced, as in a process that was not restarted after a rotation.
 */
async function relationOf(db: Db, { entry }: EvidenceKey) {
  const last = await lastKey(db);
  if (last?.key === entry.key) return "same";
  if (last === null) return "first";
  if (entry.previous === last.key) return "next";
  const earlier = await db.evidenceLeaf.count({ where: { entry: { contains: `"key":"${entry.key}"` } } });
  return earlier > 0 ? "replaced" : "unrelated";
}

/** The keys that the log already names, so that they are not looked up each time. */
const named = new WeakSet<EvidenceKey>();

async function isNew(db: Db, key: EvidenceKey | null): Promise<boolean> {
  if (!key || named.has(key)) return false;
  const relation = await relationOf(db, key);
  if (relation === "same") named.add(key);
  return relation === "first" || relation === "next";
}

interface NewLeaf {
  eventId: number | null;
  entry: string | null;
  hash: string;
}

/** Removes events from the queue of the evidence log. Returns how many, and in order those that have no leaf yet. */
async function takeQueuedEvents(tx: Db, limit: number) {
  // Raw: a DELETE with a limit that returns what it deletes.
  const queued = await tx.$queryRaw<Pick<EvidencePending, "eventId">[]>`
    DELETE FROM evidence_pending WHERE "eventId" IN (
      SELECT "eventId" FROM evidence_pending ORDER BY "eventId" LIMIT ${limit}::int
    ) RETURNING "eventId"`;
  const events = await tx.event.findMany({
    where: { id: { in: queued.map(({ eventId }) => eventId) }, leaf: null },
    include: { application: { select: { reference: true, consentRecord: { select: { recordHash: true } } } } },
    orderBy: { id: "asc" },
  });
  return { taken: queued.length, events };
}

/** Appends a batch. A lock keeps the numbers free of gaps. The transaction empties the queue, so no event is appended twice. */
async function appendSome(tx: Db, key: EvidenceKey | null): Promise<void> {
  const now = await lockEvidenceLog(tx);
  const relation = key && (await relationOf(tx, key));
  if (relation === "replaced") throw keyError("ReplacedEvidenceKey");
  const signer = relation === "unrelated" ? null : key;
  const keyText = entryFor(key, relation);
  const leaves: NewLeaf[] = keyText === null ? [] : [{ eventId: null, entry: keyText, hash: leafHash(keyText) }];
  const { taken, events } = await takeQueuedEvents(tx, batchSize);
  for (const { application, ...event } of events) {
    const { reference, consentRecord } = application;
    const entry = entryOf(event, reference, consentRecord?.recordHash ?? null);
    leaves.push({ eventId: Number(event.id), entry: null, hash: leafHash(canonicalize(entry)) });
  }
  if (leaves.length === 0) return;
  const last = await lastLeaf(tx);
  const { rows, size, root } = await numbered(tx, leaves, last ? Number(last.index) + 1 : 0);
  // After a failover, the new server's clock may be behind the time of the last head.
  const at = last && last.at > now ? last.at : now;
  // Only the last batch of a backlog gets a head, because verifyLog reports a leaf that is older than the head before it.
  const isDrained = taken < batchSize || (await tx.evidencePending.findFirst()) === null;
  const head = isDrained ? signedHead({ size, root, at: at.toISOString() }, signer) : null;
  const noHead = { root: null, key: null, signature: null };
  const headOf = (n: number) =>
    head && n === rows.length - 1 ? { root, key: head.key, signature: head.signature } : {};
  await insertAll(
    tx,
    "evidence_log",
    rows.map((row, n) => ({ ...row, at, ...noHead, ...headOf(n) })),
  );
}

/** The entry for a key that the log does not name yet. No key exists that could have signed the first one. */
function entryFor(key: EvidenceKey | null, relation: Awaited<ReturnType<typeof relationOf>> | null) {
  if (relation === "next") return canonicalize(key?.entry);
  if (relation !== "first") return null;
  return canonicalize({ kind: "key", key: key?.entry.key, format: 2 });
}

/** Numbers the leaves after those of a log of this size. Returns their rows, and the size and root of the whole log. */
async function numbered(tx: Db, leaves: NewLeaf[], size: number) {
  const byIndex = await storedLeaves(tx, leavesFor([[0, size]]));
  const lookup = lookupIn(byIndex);
  for (const [n, { hash }] of leaves.entries()) byIndex.set(size + n, completed(size + n, hash, lookup));
  const rows = leaves.map((leaf, n) => ({ ...leaf, ...lookup(size + n), index: size + n }));
  const end = size + leaves.length;
  return { rows, size: end, root: rangeHash([0, end], lookup) };
}

function signedHead(head: Head, key: EvidenceKey | null): Head {
  if (!key) return head;
  const unsigned = { ...head, key: key.entry.key };
  return { ...unsigned, signature: key.sign(unsigned) };
}

const lastLeaf = (db: Db) =>
  db.evidenceLeaf.findFirst({ orderBy: { index: "desc" }, select: { index: true, at: true } });

export async function storedLeaves(db: Db, indexes: number[]): Promise<Map<number, StoredLeaf>> {
  const rows = await db.evidenceLeaf.findMany({
    where: { index: { in: [...new Set(indexes)] } },
    select: { index: true, hash: true, subtrees: true },
  });
  return new Map(rows.map(({ index, ...leaf }) => [Number(index), leaf]));
}

export const lookupIn = (leaves: Map<number, StoredLeaf>) => (index: number) => {
  const leaf = leaves.get(index);
  if (!leaf) throw new Error(`The evidence log lacks leaf ${index}`);
  return leaf;
};
