import "server-only";
import { setImmediate as turn } from "node:timers/promises";
import { canonicalize } from "json-canonicalize";
import type { Db } from "@/lib/server/db/client";
import { type LoggedLeaf, readConsentTexts, readEvidence, unloggedEvidence } from "@/lib/server/db/statements";
import { entryOf, type Head } from "./append";
import {
  differences,
  exportProblems,
  headProblems,
  keyProblems,
  laterHead,
  receiptProblems,
} from "./evidence-verify.mjs";
import type { KeyEntry } from "./key";
import { type EvidenceReceipt, headOf } from "./receipt";
import { recordHashOf } from "./record-hash";
import { completed, leafHash, rangeHash, type StoredLeaf } from "./tree";

/** The log as an export has it: up to its last head. */
export interface ExportedLog {
  leaves: string[];
  keys: { index: number; entry: KeyEntry }[];
  /** The smallest log first. */
  earlierHeads: Head[];
  head: Head;
}

/** A file that was kept elsewhere: a receipt, what an email had of one, or an export. */
export type KeptFile = Partial<EvidenceReceipt> | ExportedLog;

export interface VerifiedLog {
  log: ExportedLog;
  /** In words; empty where everything verifies. */
  problems: string[];
  /** The applications whose consent record is not that of its leaf. */
  changed: string[];
  /** Leaves whose content is gone with an erasure: only their hashes verify. */
  erased: number;
  /** Leaves after the last signed head. */
  unsigned: number;
}

const atOnce = 2000;

/** Recomputes every leaf from what it is the leaf of, every subtree and every root, and checks the last signature of each key. */
export async function verifyLog(db: Db): Promise<VerifiedLog> {
  const stored: StoredLeaf[] = [];
  const lookup = (index: number) => stored[index] ?? { hash: "", subtrees: [] };
  const [keys, problems]: [ExportedLog["keys"], string[]] = [[], []];
  const known: Known = { erasures: await lastErasures(db), texts: await readConsentTexts(db) };
  const changed: string[] = [];
  const heads: Head[] = [];
  let erased = 0;
  // The next rows are read while these are hashed.
  let reading = readEvidence(db, 0, atOnce);
  for (let from = atOnce; ; from += atOnce) {
    const rows = await reading;
    reading = rows.length < atOnce ? reading : readEvidence(db, from, atOnce);
    // So that the statement is sent before the hashing, which takes the thread.
    await turn();
    for (const row of rows) {
      const index = stored.length;
      if (Number(row.index) !== index) problems.push(`leaf ${index} is missing`);
      const content = contentOf(row, known);
      if (content === null) erased += 1;
      else if (leafHash(content) !== row.hash) {
        problems.push(`leaf ${index} is not that of ${subjectOf(row)}`);
        if (row.record) changed.push(row.record.applicationId);
      }
      const leaf = completed(index, row.hash, lookup);
      if (leaf.subtrees.join() !== row.subtrees.join()) problems.push(`leaf ${index} has other subtrees`);
      stored.push(leaf);
      const at = row.record?.consentedAt ?? row.event?.at;
      const later = at && laterHead(index, at, heads);
      if (later) problems.push(`leaf ${index}, ${subjectOf(row)}, is dated before the head of ${later.size} leaves`);
      if (row.entry !== null) keys.push({ index, entry: JSON.parse(row.entry) });
      if (row.root === null) continue;
      heads.push(headOf({ ...row, at: new Date(row.at) }));
      if (rangeHash([0, index + 1], lookup) !== row.root)
        problems.push(`the head of ${index + 1} leaves has another root`);
    }
    if (rows.length < atOnce) break;
  }
  const head = heads.at(-1);
  if (!head) throw new Error("The evidence log is empty.");
  const entries = keys.map(({ entry }) => entry);
  // The roots and the order of all are recomputed above and there; every signature of a log of 100,000 heads would take 7 s more.
  const lastOfEachKey = [...new Map(heads.map((one) => [one.key, one])).values()];
  problems.push(...(await keyProblems(entries)), ...(await headProblems(heads, entries, lastOfEachKey)));
  for (const { reference, problem } of await unloggedEvidence(db)) problems.push(`${reference}: ${problem}`);
  const leaves = stored.slice(0, head.size).map(({ hash }) => hash);
  const signed = heads.findLast(({ signature }) => signature)?.size ?? 0;
  // Of a backlog that is being appended the head is still to come.
  const covered = keys.filter(({ index }) => index < head.size);
  const log = { leaves, keys: covered, earlierHeads: heads.slice(0, -1), head };
  return { log, problems, changed, erased, unsigned: stored.length - signed };
}

interface Known {
  /** Of each application that was erased, the event of the last erasure. */
  erasures: Map<string, number>;
  /** The texts of all consents by their SHA-256. */
  texts: Map<string, string>;
}

/** The JSON that a leaf is the hash of; null where an erasure has taken a part of it. */
function contentOf({ entry, event, reference, record }: LoggedLeaf, { erasures, texts }: Known): string | null {
  // Of a key alone; keyProblems checks that it is one.
  if (entry !== null) return event ? "" : canonicalize(JSON.parse(entry));
  if (!event) return "";
  const { applicationId, kind, salt } = event;
  const wasErasedAfter = (erasures.get(applicationId) ?? 0) > Number(event.id);
  if (kind !== "submitted" && salt === null && wasErasedAfter) return null;
  const recordHash = () => {
    if (!record) return null;
    if (record.answers === null && wasErasedAfter) return record.recordHash;
    const document = texts.get(record.textHash) ?? "";
    return recordHashOf({ ...record, document, reference, consentedAt: new Date(record.consentedAt) });
  };
  return canonicalize(entryOf({ ...event, at: new Date(event.at) }, reference, recordHash()));
}

const inWords = (kind: string) => kind.replace("_", " ");
const subjectOf = ({ event, reference }: LoggedLeaf) => (event ? `${reference} (${inWords(event.kind)})` : "its key");

async function lastErasures(db: Db): Promise<Map<string, number>> {
  const found = await db.event.groupBy({ by: ["applicationId"], where: { kind: "erased" }, _max: { id: true } });
  return new Map(found.map(({ applicationId, _max }) => [applicationId, Number(_max.id)]));
}

/** What of a file that was kept elsewhere does not fit the log, or is wrong by itself. */
export async function differencesFrom(log: ExportedLog, file: KeptFile): Promise<string[]> {
  if (!file.head) return ["this is no receipt, no head and no export"];
  const own = "leaves" in file ? await exportProblems(file) : await receiptProblems(file);
  return [...own, ...(await differences(file, log)).problems];
}
