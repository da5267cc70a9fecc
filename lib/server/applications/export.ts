import "server-only";
import { type ConsentAnswers, invitableAnswers, namesOf, savedAnswers } from "@/lib/domain/application";
import { reviewStep } from "@/lib/domain/journey";
import { secondIn } from "@/lib/domain/zone-time";
import { type ApplicationRow, applicationColumns, invitedColumn, statusOf } from "@/lib/server/db/application-row";
import { query } from "@/lib/server/db/query";
import { currentSettings } from "@/lib/server/settings";
import { type Filter, matches, valuesOf } from "./filter";

type Exported = ApplicationRow & { invitedAt: Date; erasedAt: Date | null };

const boxes: (keyof ConsentAnswers)[] = namesOf(reviewStep);
const pageSize = 1_000;

const page = `
  SELECT ${applicationColumns}, a."createdAt" AS "invitedAt", a."erasedAt", c.version AS "consentVersion", c."consentedAt",
    ${boxes.map((box) => `c."${box}"`).join(", ")}
  FROM applications a LEFT JOIN consent_records c ON c."applicationId" = a.id
  WHERE ${matches} AND a.reference > $3 ORDER BY a.reference LIMIT ${pageSize}`;

const columns: (keyof Exported)[] = [
  ...(["reference", "status", "invitedAt", "submittedAt", "erasedAt"] as const),
  ...savedAnswers,
  ...invitableAnswers.map(invitedColumn),
  ...boxes,
  ...(["consentVersion", "consentedAt"] as const),
];

function cell(row: Exported, column: keyof Exported): string {
  if (column === "status") return statusOf(row.status);
  const value = row[column];
  if (value instanceof Date) return secondIn(value, currentSettings().brand);
  return String(value ?? "");
}

/** The columns of an export, then a row of cells for each application, read in pages: memory does not grow with them. */
export async function* exportedRows(filter: Filter): AsyncGenerator<string[]> {
  yield columns;
  for (let after = ""; ; ) {
    const { rows } = await query<Exported>({ text: page, values: [...valuesOf(filter), after] });
    for (const row of rows) yield columns.map((column) => cell(row, column));
    after = rows.at(-1)?.reference ?? "";
    if (rows.length < pageSize) return;
  }
}
