import { hash } from "node:crypto";
import { savedAnswers } from "@/lib/domain/application";
import { formatAnswers, versionOf } from "@/lib/server/db/application-row";
import { type Db, readSnapshot } from "@/lib/server/db/client";
import { type HashedRecord, recordHashOf } from "./record-hash";

const batch = 500;

function page(tx: Db, after: string, applicationId: string | undefined) {
  return tx.consentRecord.findMany({
    where: { id: { gt: after }, ...(applicationId ? { applicationId } : {}) },
    include: {
      application: {
        include: { events: { where: { kind: { in: ["submitted", "erased"] } }, orderBy: { id: "asc" } } },
      },
    },
    orderBy: { id: "asc" },
    take: batch,
  });
}

type Found = Awaited<ReturnType<typeof page>>[number];

interface Verified {
  reference: string;
  /** In words; empty if everything verifies. */
  problems: string[];
  /** What could be recomputed. After an erasure, that is only the text. */
  by: "all" | "text";
}

function verified({ application, ...stored }: Found): Verified {
  const { reference } = application;
  const { document, documentHash, answersHash, recordHash } = stored;
  const answers = stored.answers as Record<string, string> | null;
  // An erasure that came before the submission has removed nothing of it.
  const by = answers === null && application.events.at(-1)?.kind === "erased" ? "text" : "all";
  const isText = hash("sha256", document) === documentHash;
  const problems = isText ? [] : ["the text is not the one that was agreed to"];
  if (answers === null) {
    if (by === "all") problems.push("the answers were removed");
    else if (savedAnswers.some((name) => name !== "source" && application[name]))
      problems.push("the application has answers although they were erased");
    return { reference, problems, by };
  }
  if (application.events.at(-1)?.kind === "erased") problems.push("the record has answers although they were erased");
  const areAnswers = versionOf(answers) === answersHash;
  if (!areAnswers) problems.push("the answers are not those that were submitted");
  const current: Record<string, string> = formatAnswers(application);
  // Compares the names in the record, because an earlier record lacks answers that were declared later.
  const other = Object.keys(answers).filter((name) => name in current && current[name] !== answers[name]);
  if (other.length > 0) problems.push(`the application has a different ${other.join(", ")}`);
  const record = { ...stored, reference };
  if (isText && areAnswers && recordHashOf(record) !== recordHash) problems.push(changeOf(record, application));
  return { reference, problems, by };
}

/** Finds what was changed: the value whose other possible or known value makes the hash right again. */
function changeOf(record: HashedRecord & Pick<Found, "recordHash">, { submittedAt, events }: Found["application"]) {
  const { recordHash, reviewed, document } = record;
  if (recordHash === null) return "the hash of the whole record was removed";
  const isRightWith = (other: Partial<HashedRecord>) => recordHashOf({ ...record, ...other }) === recordHash;
  const submittedFrom = events.find(({ kind }) => kind === "submitted")?.address;
  if (tickCombinations.some(isRightWith)) return "the boxes are not those that were ticked";
  if (isRightWith({ reviewed: !reviewed })) return "'reviewed' is not what was recorded";
  if (submittedAt && isRightWith({ consentedAt: submittedAt })) return "the time is not that of the submission";
  if (submittedFrom !== undefined && isRightWith({ address: submittedFrom }))
    return "the address is not that of the submission";
  if (isRightWith({ version: versionIn(document) })) return "the version is not that of the text";
  return "the record was changed: the user agent, or more than one field";
}

const booleans = [true, false];
const tickCombinations = booleans.flatMap((authoriseAgent) =>
  booleans.flatMap((provideSelf) => booleans.map((confirmLoan) => ({ authoriseAgent, provideSelf, confirmLoan }))),
);

/** The version in a document, whose first line is such as 'Version 2026-11-26'. */
const versionIn = (document: string) => document.split("\n", 1)[0]?.replace(/^Version /, "") ?? "";

/** Recomputes the hashes of every consent record, or of one application's, from what the record holds. */
export async function* verifyConsents(applicationId?: string): AsyncGenerator<Verified> {
  let last = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    // In one snapshot, because an erasure changes both the record and the application.
    const found = await readSnapshot((tx) => page(tx, last, applicationId));
    yield* found.map(verified);
    if (found.length < batch) return;
    last = found.at(-1)?.id ?? last;
  }
}
