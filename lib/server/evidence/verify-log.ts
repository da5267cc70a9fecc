import { setImmediate as turn } from "node:timers/promises";
import { canonicalize } from "json-canonicalize";
import { type Db, onSeparateConnection } from "@/lib/server/db/client";
import { limitStatements } from "@/lib/server/db/locks";
import type { ConsentRecord, Event } from "@/prisma/generated/client";
import { entryOf, type Head, leafKinds } from "./append";
import {
  differences,
  exportProblems,
  headBefore,
  headProblems,
  isDatedAfter,
  keyProblems,
  laterHead,
  receiptProblems,
  slackMs,
} from "./evidence-verify.mjs";
import type { KeyEntry } from "./key";
import { type Json, type LoggedLeaf, readEvidence, unloggedEvidence } from "./read-log";
import { type EvidenceReceipt, headOf } from "./receipt";
import { keptHashOf, reasonHashOf, recordHashOf } from "./record-hash";
import { completed, leafHash, rangeHash, type StoredLeaf } from "./tree";

/** The log in the form of an export: up to its last head. */
interface ExportedLog {
  leaves: string[];
  keys: { index: number; entry: KeyEntry }[];
  /** The smallest log first. */
  earlierHeads: Head[];
  head: Head;
}

/** A file that was kept outside the database: a receipt, the part of one that an email had, or an export. */
export type KeptFile = Partial<EvidenceReceipt> | ExportedLog;

export type VerifiedLog = Awaited<ReturnType<typeof verifySnapshot>>;

/** Over millions of applications, one statement that looks for missing leaves takes minutes. */
const timeoutMs = 3_600_000;

/**
 * Recomputes every leaf from its event or key, every subtree and every root, and checks the last signature of each key. All is
 * read in one snapshot, so that leaves appended in the meantime cannot look inconsistent.
 */
export const verifyLog = (url: string): Promise<VerifiedLog> =>
  onSeparateConnection(url, timeoutMs, (db) =>
    db.$transaction(verifySnapshot, { isolationLevel: "RepeatableRead", timeout: timeoutMs }),
  );

async function verifySnapshot(db: Db) {
  // Replaces the role's limit, which applies behind a pooler.
  await limitStatements(db, timeoutMs);
  const hashes: string[] = [];
  // By index, the last leaf of each subtree that is not yet part of a larger one. A later leaf needs no others, and all the
  // leaves of a log of a million would take 230 MB more.
  const ends = new Map<number, StoredLeaf>();
  const lookup = (index: number) => ends.get(index) ?? { hash: "", subtrees: [] };
  const [keys, problems]: [ExportedLog["keys"], string[]] = [[], []];
  const stateOf = await leafStates(db);
  const counts = { intact: 0, erased: 0, unproven: 0, changed: 0 };
  const changed: string[] = [];
  const heads: Head[] = [];
  /** The latest event since the last head. */
  let latest: { at: string; index: number; row: LoggedLeaf } | undefined;
  for await (const rows of readEvidence(db)) {
    for (const row of rows) {
      const index = hashes.length;
      // Yields, so that the next batch arrives while this one is hashed.
      if (index % 50 === 0) await turn();
      if (Number(row.index) !== index) problems.push(`leaf ${index} is missing`);
      const state = stateOf(row);
      counts[state] += 1;
      if (state === "changed") {
        problems.push(`leaf ${index} is not that of ${subjectOf(row)}`);
        if (row.record) changed.push(row.record.applicationId);
      }
      const leaf = completed(index, row.hash, lookup);
      if (leaf.subtrees.join() !== row.subtrees.join()) problems.push(`leaf ${index} has other subtrees`);
      hashes.push(row.hash);
      ends.set(index, leaf);
      for (const level of leaf.subtrees.keys()) ends.delete(index - 2 ** level);
      const at = row.record?.consentedAt ?? row.event?.at;
      const later = at && laterHead(index, at, heads);
      if (later) problems.push(`leaf ${index}, ${subjectOf(row)}, is dated before the head of ${later.size} leaves`);
      if (at && !(latest && Date.parse(at) <= Date.parse(latest.at))) latest = { at, index, row };
      if (row.entry !== null) keys.push({ index, entry: JSON.parse(row.entry) });
      if (row.root === null) continue;
      const head = headOf({ ...row, at: new Date(row.at) });
      heads.push(head);
      if (latest && isDatedAfter(latest.at, head))
        problems.push(`leaf ${latest.index}, ${subjectOf(latest.row)}, is dated after the head of ${head.size} leaves`);
      latest = undefined;
      if (rangeHash([0, index + 1], lookup) !== row.root)
        problems.push(`the head of ${index + 1} leaves has another root`);
    }
  }
  const head = heads.at(-1);
  if (!head)
    throw new Error(
      hashes.length === 0
        ? "The evidence log is empty."
        : "The evidence log has no head yet: its first leaves are still being appended.",
    );
  const entries = keys.map(({ entry }) => entry);
  // Roots are recomputed above, and headProblems checks the order of all heads. 100,000 signatures would take 7 s more.
  const lastOfEachKey = [...new Map(heads.map((each) => [each.key, each])).values()];
  problems.push(...(await keyProblems(entries)), ...(await headProblems(heads, keys, lastOfEachKey)));
  const since = new Date(Date.parse(headBefore(hashes.length, heads)?.at ?? head.at) - slackMs);
  for (const { reference, problem } of await unloggedEvidence(db, since)) problems.push(`${reference}: ${problem}`);
  // A backlog that is still being appended has no head yet.
  const covered = keys.filter(({ index }) => index < head.size);
  const leaves = hashes.slice(0, head.size);
  const log: ExportedLog = { leaves, keys: covered, earlierHeads: heads.slice(0, -1), head };
  const isSigned = ({ signature }: Head) => Boolean(signature);
  return {
    log,
    /** In words; empty if everything verifies. */
    problems,
    /** The applications whose consent record does not match its leaf. */
    changed,
    /** The number of leaves whose answers or reason were erased. Of these, only the hash can be verified. */
    erased: counts.erased,
    /** The number of those whose erasure has no leaf yet. */
    unproven: counts.unproven,
    /** The number of leaves after the last signed head. */
    unsigned: hashes.length - (heads.findLast(isSigned)?.size ?? 0),
    unsignedHeads: heads.filter((each) => !isSigned(each)).length,
    /** The number of events that have no leaf yet. */
    queued: await db.evidencePending.count(),
  };
}

/**
 * Whether a leaf is that of its event or key. In the state 'erased', an erasure removed the answers or the reason, and in
 * 'unproven', that erasure has no leaf yet.
 */
type LeafState = "intact" | "erased" | "unproven" | "changed";

/** Returns a function that takes the leaves in order. */
async function leafStates(db: Db): Promise<(row: LoggedLeaf) => LeafState> {
  const erasures = new Map<string, Awaited<ReturnType<typeof erasuresIn>>>();
  for (const erasure of await erasuresIn(db))
    erasures.set(erasure.applicationId, [...(erasures.get(erasure.applicationId) ?? []), erasure]);
  const stateOfRemoved = ({ applicationId, id }: Json<Event>, kept?: string): LeafState => {
    const later = (erasures.get(applicationId) ?? []).filter((erasure) => erasure.id > id);
    const erasure = later.findLast(({ leaf }) => leaf) ?? later.at(-1);
    if (!erasure) return "changed";
    if (kept !== undefined && erasure.detail !== kept) return "changed";
    return erasure.leaf ? "erased" : "unproven";
  };
  return ({ entry, event, reference, record, hash }) => {
    const isOf = (content: object) => leafHash(canonicalize(content)) === hash;
    if (entry !== null) {
      // Only the leaf of a key has an entry, and it has no event. keyProblems checks that the entry is a key.
      return !event && isOf(JSON.parse(entry)) ? "intact" : "changed";
    }
    if (!event) return "changed";
    const dated = { ...event, at: new Date(event.at) };
    const isIntact = isOf(entryOf(dated, reference, record?.recordHash ?? null));
    if (event.kind === "submitted") {
      if (!(record && isIntact && isSubmissionOf(event, record))) return "changed";
      const stored = { ...record, consentedAt: new Date(record.consentedAt) };
      if (record.answers === null) return stateOfRemoved(event, keptHashOf(stored));
      return recordHashOf({ ...stored, reference }) === record.recordHash ? "intact" : "changed";
    }
    if (!leafKinds[event.kind] || !isIntact) return "changed";
    if (event.salt === null && event.reason === "") return stateOfRemoved(event);
    return reasonHashOf(event) === event.reasonHash ? "intact" : "changed";
  };
}

/** Whether a submission's event agrees with the record, except for what the record lacks. The leaf covers only the record. */
const isSubmissionOf = ({ by, detail, reason, address, linkId }: Json<Event>, record: Json<ConsentRecord>) =>
  by + detail + reason === "" &&
  (record.address === "" || address === record.address) &&
  (record.linkId === null || linkId === record.linkId);

const inWords = (kind: string) => kind.replace("_", " ");
const subjectOf = ({ event, reference }: LoggedLeaf) => (event ? `${reference} (${inWords(event.kind)})` : "its key");

const erasuresIn = (db: Db) =>
  db.event.findMany({
    where: { kind: "erased" },
    select: { applicationId: true, id: true, detail: true, leaf: { select: { index: true } } },
    orderBy: { id: "asc" },
  });

/** What in a kept file contradicts the log or is wrong by itself. */
export async function differencesFrom(log: ExportedLog, file: KeptFile): Promise<string[]> {
  const own = "leaves" in file ? await exportProblems(file) : await receiptProblems(file);
  return [...own, ...(await differences(file, log)).problems];
}
