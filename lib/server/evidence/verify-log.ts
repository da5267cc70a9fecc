import "server-only";
import { canonicalize } from "json-canonicalize";
import type { Db } from "@/lib/server/db/client";
import type { Prisma } from "@/prisma/generated/client";
import { entryOf, type Head } from "./append";
import { exportDifferences, exportProblems, headProblems, keyProblems, receiptProblems } from "./evidence-verify.mjs";
import type { KeyEntry } from "./key";
import { type EvidenceReceipt, headOf } from "./receipt";
import { recordHashOf } from "./record-hash";
import { completed, leafHash, rangeHash, type StoredLeaf } from "./tree";

/** The log as an export has it. */
export interface ExportedLog {
  leaves: string[];
  keys: { index: number; entry: KeyEntry }[];
  head: Head;
}

/** A file that was held elsewhere: a receipt, what an email had of one, or an export. */
export interface Held {
  name: string;
  content: Partial<EvidenceReceipt> | ExportedLog;
}

export interface VerifiedLog {
  log: ExportedLog;
  /** In words; empty where everything verifies. */
  problems: string[];
  /** Leaves whose content is gone with an erasure: only their hashes verify. */
  erased: number;
  /** Leaves after the last signed head. */
  unsigned: number;
}

const atOnce = 2000;

const withContent = {
  event: { include: { application: { include: { consentRecord: true } } } },
} as const satisfies Prisma.EvidenceLeafInclude;
type Row = Prisma.EvidenceLeafGetPayload<{ include: typeof withContent }>;

/** Recomputes every leaf from what it is the leaf of, every subtree and every head. */
export async function verifyLog(db: Db): Promise<VerifiedLog> {
  const stored: StoredLeaf[] = [];
  const lookup = (index: number) => stored[index] ?? { hash: "", subtrees: [] };
  const [keys, problems]: [ExportedLog["keys"], string[]] = [[], []];
  const erasures = await lastErasures(db);
  let [erased, signed]: [number, Head | null] = [0, null];
  let head: Head | null = null;
  for (let from = 0; ; from += atOnce) {
    const rows = await db.evidenceLeaf.findMany({
      where: { index: { gte: from, lt: from + atOnce } },
      include: withContent,
      orderBy: { index: "asc" },
    });
    for (const row of rows) {
      const index = stored.length;
      if (Number(row.index) !== index) problems.push(`leaf ${index} is missing`);
      const content = contentOf(row, erasures);
      if (content === null) erased += 1;
      else if (leafHash(content) !== row.hash) problems.push(`leaf ${index} is not that of ${subjectOf(row)}`);
      const leaf = completed(index, row.hash, lookup);
      if (leaf.subtrees.join() !== row.subtrees.join()) problems.push(`leaf ${index} has other subtrees`);
      stored.push(leaf);
      if (row.entry !== null) keys.push({ index, entry: JSON.parse(row.entry) });
      if (row.root === null) continue;
      head = headOf(row);
      if (head.signature) signed = head;
      if (rangeHash([0, index + 1], lookup) !== row.root)
        problems.push(`the head of ${index + 1} leaves has another root`);
    }
    if (rows.length < atOnce) break;
  }
  if (!head) throw new Error("The evidence log is empty.");
  problems.push(...(await keyProblems(keys.map(({ entry }) => entry))));
  if (signed) problems.push(...(await headProblems(signed, `the head of ${signed.size} leaves`)));
  if (signed && !keys.some(({ entry }) => entry.key === signed?.key))
    problems.push("a head has a key that the log does not name");
  problems.push(...(await unlogged(db)));
  const leaves = stored.map(({ hash }) => hash);
  return { log: { leaves, keys, head }, problems, erased, unsigned: head.size - (signed?.size ?? 0) };
}

/** The JSON that a leaf is the hash of; null where an erasure has taken a part of it. */
function contentOf({ entry, event }: Row, erasures: Map<string, bigint>): string | null {
  if (entry !== null) return canonicalize(JSON.parse(entry));
  if (!event) return "";
  const { application, ...own } = event;
  const { consentRecord, ...about } = application;
  const wasErasedAfter = (erasures.get(application.id) ?? 0n) > event.id;
  if (event.kind !== "submitted")
    return event.salt === null && wasErasedAfter ? null : canonicalize(entryOf(own, application.reference, null));
  if (!consentRecord) return "";
  if (consentRecord.answers === null && wasErasedAfter)
    return canonicalize(entryOf(own, application.reference, consentRecord.recordHash));
  const { reference } = about;
  return canonicalize(entryOf(own, reference, recordHashOf({ ...consentRecord, reference })));
}

function subjectOf({ event }: Row): string {
  return event ? `${event.application.reference} (${event.kind.replace("_", " ")})` : "its key";
}

/** Of each application that was erased, the event of the last erasure. */
async function lastErasures(db: Db): Promise<Map<string, bigint>> {
  const found = await db.event.groupBy({ by: ["applicationId"], where: { kind: "erased" }, _max: { id: true } });
  return new Map(found.map(({ applicationId, _max }) => [applicationId, _max.id ?? 0n]));
}

/** What should have a leaf and has none, beside what waits for it. */
async function unlogged(db: Db): Promise<string[]> {
  const waiting = new Set((await db.evidencePending.findMany()).map(({ eventId }) => eventId));
  const missing = await db.event.findMany({
    where: {
      kind: { in: ["submitted", "status_changed", "erased", "link_reissued"] },
      leaf: null,
    },
    include: { application: { select: { reference: true } } },
  });
  const records = await db.consentRecord.findMany({
    where: { application: { events: { none: { kind: "submitted" } } } },
    include: { application: { select: { reference: true } } },
  });
  return [
    ...missing
      .filter(({ id }) => !waiting.has(id))
      .map(({ application, kind }) => `${application.reference} (${kind.replace("_", " ")}) has no leaf`),
    ...records.map(({ application }) => `the consent record of ${application.reference} has no leaf`),
  ];
}

/** What of a held file does not fit the log, or is wrong by itself. */
export async function differencesFrom(log: ExportedLog, { content }: Held): Promise<string[]> {
  const { head } = content;
  if (!head) return ["this is no receipt, no head and no export"];
  if (!("leaves" in content)) {
    const own = content.leaf ? await receiptProblems(content) : await headProblems(head, "the head");
    return [...own, ...(await exportDifferences(content, log))];
  }
  const { leaves, keys } = content;
  const own = await exportProblems(content);
  const changed = leaves.findIndex((hash, index) => log.leaves[index] !== hash);
  if (changed >= 0) own.push(`leaf ${changed} has changed`);
  if (keys?.[0] && keys[0].entry.key !== log.keys[0]?.entry.key) own.push("the log begins with another key");
  return own;
}
