import "server-only";
import { createHash } from "node:crypto";

/** Everything of a consent record but its ids and this hash, and the reference of its application. */
export interface HashedRecord {
  reference: string;
  version: string;
  document: string;
  documentHash: string;
  answers: unknown;
  answersHash: string | null;
  reviewed: boolean;
  authoriseAgent: boolean;
  provideSelf: boolean;
  confirmLoan: boolean;
  consentedAt: Date;
  address: string;
  userAgent: string;
}

/** SHA-256, in hex, of the record's canonical JSON: names sorted, no spaces, times as ISO instants with milliseconds. */
export function recordHashOf(record: HashedRecord): string {
  const { reference, version, document, documentHash, answers, answersHash, reviewed } = record;
  const { authoriseAgent, provideSelf, confirmLoan, consentedAt, address, userAgent } = record;
  const evidence = { reference, version, document, documentHash, answers, answersHash, reviewed };
  const circumstances = { authoriseAgent, provideSelf, confirmLoan, consentedAt, address, userAgent };
  return createHash("sha256")
    .update(canonicalJson({ ...evidence, ...circumstances }))
    .digest("hex");
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, part) => (isObject(part) ? sorted(part) : part));
}

function isObject(part: unknown): part is Record<string, unknown> {
  return typeof part === "object" && part !== null && !Array.isArray(part);
}

function sorted(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).sort(([one], [other]) => (one < other ? -1 : 1)));
}
