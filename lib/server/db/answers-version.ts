import "server-only";
import { createHash } from "node:crypto";
import { answers, defaultAnswers, type SavedAnswer, savedAnswers } from "@/lib/domain/application";

/** An answer as an applicant sees it (to-view.ts), of `applications AS a`. */
function shown(name: SavedAnswer): string {
  const column = `a."${name}"`;
  switch (answers[name].kind) {
    case "date":
      return `coalesce(to_char(${column}, 'YYYY-MM-DD'), '${defaultAnswers[name]}')`;
    case "money":
      return `coalesce(CASE WHEN ${column} = trunc(${column}) THEN trunc(${column}) ELSE ${column} END::text, '${defaultAnswers[name]}')`;
    default:
      return column;
  }
}

/**
 * The answers of `applications AS a` as canonical JSON: sorted by name, without spaces. In SQL, so that the statement that
 * submits them can compare and record what it finds, and no save can come in between.
 */
export const answersJson = `'{' || ${[...savedAnswers]
  .sort()
  .map((name) => `'"${name}":' || to_json(${shown(name)})::text`)
  .join(" || ',' || ")} || '}'`;

/** Its SHA-256, in hex. */
export const answersVersion = `encode(sha256(convert_to(${answersJson}, 'UTF8')), 'hex')`;

/** The same of answers as they are shown: a call that only reads or saves them asks Postgres for no hash. */
export function versionOf(shownAnswers: Record<string, string>): string {
  const json = JSON.stringify(shownAnswers, Object.keys(shownAnswers).sort());
  return createHash("sha256").update(json).digest("hex");
}
