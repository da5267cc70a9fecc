import "server-only";
import { createHash } from "node:crypto";
import { answersJson, versionOf } from "@/lib/server/database/answers-version";
import { query } from "@/lib/server/database/query";

interface RecordRow {
  id: string;
  reference: string;
  document: string;
  documentHash: string;
  answers: Record<string, string> | null;
  answersHash: string | null;
  /** What the application holds today. */
  held: Record<string, string>;
}

export interface Verified {
  reference: string;
  /** In words; empty where everything verifies. */
  problems: string[];
}

const batch = 500;

const find = `
  SELECT c.id, a.reference, c.document, c."documentHash", c.answers, c."answersHash", (${answersJson})::jsonb AS held
  FROM consent_records c JOIN applications a ON a.id = c."applicationId"
  WHERE c.id > $1 AND ($2::uuid IS NULL OR a.id = $2) ORDER BY c.id LIMIT ${batch}`;

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

function problemsOf({ document, documentHash, answers, answersHash, held }: RecordRow): string[] {
  const problems: string[] = [];
  if (sha256(document) !== documentHash) problems.push("the text is not the one that was agreed to");
  // A record from before answers were kept has none, and neither has one whose person was erased.
  if (answers === null) return problems;
  if (versionOf(answers) !== answersHash) problems.push("the answers are not those that were submitted");
  // By the record's names: an answer declared since is in no earlier record.
  const other = Object.keys(answers).filter((name) => name in held && held[name] !== answers[name]);
  if (other.length > 0) problems.push(`the application holds another ${other.join(", ")}`);
  return problems;
}

/** Recomputes the hashes of every consent record, or of one application's, from what the record holds. */
export async function* verifyConsents(applicationId?: string): AsyncGenerator<Verified> {
  let last = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    const { rows } = await query<RecordRow>({ text: find, values: [last, applicationId] });
    for (const row of rows) yield { reference: row.reference, problems: problemsOf(row) };
    if (rows.length < batch) return;
    last = rows.at(-1)?.id ?? last;
  }
}
