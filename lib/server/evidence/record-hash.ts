import "server-only";
import { hash } from "node:crypto";
import { canonicalize } from "json-canonicalize";
import type { ConsentRecord } from "@/prisma/generated/client";

/** Everything of a consent record but its ids and this hash, and the reference of its application. */
export type HashedRecord = Omit<ConsentRecord, "id" | "applicationId" | "recordHash" | "answers"> & {
  answers: unknown;
  reference: string;
};

type HashedFields = Omit<HashedRecord, "consentedAt" | "linkId" | "salt"> & {
  consentedAt: string;
  linkId?: string;
  salt?: string;
};

/** What the hash covers. A record from before there were links and salts in records has neither. */
export function hashedFields(record: HashedRecord): HashedFields {
  const { reference, version, document, documentHash, answers, answersHash, reviewed } = record;
  const { authoriseAgent, provideSelf, confirmLoan, address, userAgent, linkId, salt } = record;
  const consentedAt = record.consentedAt.toISOString();
  // One literal: put together from several, it takes longer to make and to read, a hundred thousand times to verify the log.
  const fields: HashedFields = {
    reference,
    version,
    document,
    documentHash,
    answers,
    answersHash,
    reviewed,
    authoriseAgent,
    provideSelf,
    confirmLoan,
    consentedAt,
    address,
    userAgent,
  };
  if (linkId !== null) fields.linkId = linkId;
  if (salt !== null) fields.salt = salt;
  return fields;
}

/** SHA-256, in hex, of the record as RFC 8785 writes JSON: names sorted, no spaces; times as ISO instants with milliseconds. */
export function recordHashOf(record: HashedRecord): string {
  return hash("sha256", canonicalize(hashedFields(record)));
}
