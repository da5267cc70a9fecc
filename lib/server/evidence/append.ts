import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import { canonicalize } from "json-canonicalize";
import { dayIn } from "@/lib/domain/zone-time";
import type { Db } from "@/lib/server/db/client";
import { insertAll, lockEvidenceLog, takeQueuedEvents } from "@/lib/server/db/statements";
import { enqueueOnceOn } from "@/lib/server/messages/outbox/enqueue";
import { currentSettings } from "@/lib/server/settings";
import type { Event, EventKind, EvidenceLeaf, PrismaClient } from "@/prisma/generated/client";
import { type EvidenceKey, evidenceKey, type KeyEntry } from "./key";
import { completed, leafHash, leavesFor, rangeHash, type StoredLeaf } from "./tree";

/** A head of the log: what is signed and leaves the database. Without a key it has neither key nor signature. */
export interface Head {
  size: number;
  /** In hex. */
  root: string;
  /** An ISO instant. */
  at: string;
  /** The Ed25519 key in base64, as the signature over the rest. */
  key?: string;
  signature?: string;
}

const leafKinds: Partial<Record<EventKind, string>> = {
  status_changed: "decision",
  erased: "erasure",
  link_reissued: "reissue",
};

/** What the leaf of an event is the hash of. Of a consent the hash of its record, which covers a salt of its own. */
export function entryOf(event: Event, reference: string, recordHash: string | null): object {
  if (event.kind === "submitted") return { kind: "consent", record: recordHash };
  const { at, by, databaseUser, detail, linkId, reason, salt } = event;
  const what = { kind: leafKinds[event.kind], reference, at: at.toISOString(), detail, linkId, reason };
  return { ...what, by, databaseUser, salt };
}

const pollMs = 250;
/** After a failure of the database. */
const failureMs = 5000;
const atOnce = 1000;

/** The last key of the log has not signed the key that is set, so that it may sign nothing. */
class UnknownEvidenceKey extends Error {
  override name = "UnknownEvidenceKey";
}

/** Appends what has happened, until the signal. */
export async function keepLog(db: PrismaClient, signal: AbortSignal, report: (error: unknown) => void): Promise<void> {
  const key = evidenceKey();
  if (key && (await relationOf(db, key).catch(() => "")) === "unrelated") report(new UnknownEvidenceKey());
  let mailedOn = "";
  const append = async () => {
    await appendAll(db);
    mailedOn = await enqueueDailyHead(db, mailedOn);
  };
  while (!signal.aborted) {
    const wait = await append().then(
      () => pollMs,
      (error) => {
        report(error);
        return failureMs;
      },
    );
    await sleep(wait, undefined, { signal, ref: false }).catch(() => {});
  }
}

/** Once a day. Returns the day. */
export async function enqueueDailyHead(db: PrismaClient, mailedOn: string): Promise<string> {
  const { evidence, brand } = currentSettings();
  const day = dayIn(new Date(), brand);
  if (!evidence.email || day === mailedOn || (await lastLeaf(db)) === null) return mailedOn;
  await enqueueOnceOn(day, db, "evidence-head", evidence.email);
  return day;
}

/** Appends a leaf for everything that was committed before the call. */
export async function appendAll(db: PrismaClient): Promise<void> {
  const key = evidenceKey();
  while ((await db.evidencePending.findFirst()) !== null || (await isNew(db, key))) {
    await db.$transaction((tx) => appendSome(tx, key));
  }
}

/** The latest key in the log; null if it has none. */
export async function lastKey(db: Db): Promise<KeyEntry | null> {
  const leaf = await db.evidenceLeaf.findFirst({ where: { entry: { not: null } }, orderBy: { index: "desc" } });
  return leaf?.entry ? JSON.parse(leaf.entry) : null;
}

/** How a key relates to the last one of the log. One that the last has not signed signs nothing: the log grows unsigned. */
async function relationOf(db: Db, { entry }: EvidenceKey): Promise<"first" | "same" | "next" | "unrelated"> {
  const last = await lastKey(db);
  if (last?.key === entry.key) return "same";
  if (last === null) return "first";
  return entry.previous === last.key ? "next" : "unrelated";
}

/** Those that the log has named, so that the database is not asked each time. */
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

/** One at a time, so that the numbers have no gaps; in one transaction with the queue, so that none is appended twice. */
async function appendSome(tx: Db, key: EvidenceKey | null): Promise<void> {
  const now = await lockEvidenceLog(tx);
  const relation = key && (await relationOf(tx, key));
  const signer = relation === "unrelated" ? null : key;
  const keyText = entryFor(key, relation);
  const leaves: NewLeaf[] = keyText === null ? [] : [{ eventId: null, entry: keyText, hash: leafHash(keyText) }];
  const events = await takeQueuedEvents(tx, atOnce);
  for (const event of events) {
    const hash = leafHash(canonicalize(entryOf(event, event.reference, event.recordHash)));
    leaves.push({ eventId: Number(event.id), entry: null, hash });
  }
  if (leaves.length === 0) return;
  const last = await lastLeaf(tx);
  const { rows, size, root } = await numbered(tx, leaves, last);
  // The clock of another server, after a failover, may be behind that of the last head.
  const at = last && last.at > now ? last.at : now;
  // Of a backlog only the last batch gets a head: verifyLog reports a leaf that is dated before the head before it.
  const isDrained = events.length < atOnce || (await tx.evidencePending.findFirst()) === null;
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

/** What the log says of a key that it does not name yet. Before the first there is none that could have signed it. */
function entryFor(key: EvidenceKey | null, relation: Awaited<ReturnType<typeof relationOf>> | null): string | null {
  if (relation === "next") return canonicalize(key?.entry);
  return relation === "first" ? canonicalize({ kind: "key", key: key?.entry.key }) : null;
}

/** The rows of leaves that follow the last one, and the root of the whole log. */
async function numbered(tx: Db, leaves: NewLeaf[], last: LastLeaf | null) {
  const size = last ? Number(last.index) + 1 : 0;
  const known = await storedLeaves(tx, leavesFor([[0, size]]));
  const lookup = lookupIn(known);
  for (const [n, { hash }] of leaves.entries()) known.set(size + n, completed(size + n, hash, lookup));
  const rows = leaves.map((leaf, n) => ({ ...leaf, ...lookup(size + n), index: size + n }));
  const end = size + leaves.length;
  return { rows, size: end, root: rangeHash([0, end], lookup) };
}

function signedHead(head: Head, key: EvidenceKey | null): Head {
  if (!key) return head;
  const named = { ...head, key: key.entry.key };
  return { ...named, signature: key.sign(named) };
}

type LastLeaf = Pick<EvidenceLeaf, "index" | "at">;

const lastLeaf = (db: Db): Promise<LastLeaf | null> =>
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
