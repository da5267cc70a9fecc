import { hash } from "node:crypto";
import { canonicalize } from "json-canonicalize";
import type { ConsentRecord, Event } from "@/prisma/generated/client";

/** A consent record without its ids and this hash, with the reference of its application. */
export type HashedRecord = Omit<ConsentRecord, "id" | "applicationId" | "recordHash" | "answers" | "receipt"> & {
  answers: unknown;
  receipt: unknown;
  reference: string;
};

/** The fields that the hash covers. A record may lack a receipt, a link or a salt, and JSON leaves out what is undefined. */
export function hashedFields(record: HashedRecord) {
  // One literal is faster than several merged. Verifying the log creates a hundred thousand of them.
  return {
    reference: record.reference,
    version: record.version,
    document: record.document,
    documentHash: record.documentHash,
    answers: record.answers,
    answersHash: record.answersHash,
    receipt: record.receipt ?? undefined,
    reviewed: record.reviewed,
    authoriseAgent: record.authoriseAgent,
    provideSelf: record.provideSelf,
    confirmLoan: record.confirmLoan,
    consentedAt: record.consentedAt.toISOString(),
    address: record.address,
    userAgent: record.userAgent,
    linkId: record.linkId ?? undefined,
    salt: record.salt ?? undefined,
  };
}

/** SHA-256, in hex, of the record as JSON of RFC 8785: names sorted, no spaces. Times are ISO instants with milliseconds. */
export function recordHashOf(record: HashedRecord): string {
  return hash("sha256", canonicalize(hashedFields(record)));
}

/** The detail of an erasure's event: the hash of what the erasure keeps of the consent record. Postgres writes booleans as t and f. */
export function keptHashOf(record: ConsentRecord): string {
  const { recordHash, version, documentHash, reviewed, authoriseAgent, provideSelf, confirmLoan, consentedAt } = record;
  const booleans = [reviewed, authoriseAgent, provideSelf, confirmLoan].map((value) => (value ? "t" : "f"));
  const kept = [recordHash, version, documentHash, ...booleans, consentedAt.toISOString()];
  return `record ${hash("sha256", kept.filter((value) => value !== null).join("\n"))}`;
}

/** SHA-256, in hex, of the salt and the reason of an event, which the database has written as `reasonHash`. */
export function reasonHashOf({ salt, reason }: Pick<Event, "salt" | "reason">): string {
  // With a longer salt, the first words of the reason could pass for a part of it.
  return salt?.length === 64 ? hash("sha256", `${salt}${reason}`) : "";
}
