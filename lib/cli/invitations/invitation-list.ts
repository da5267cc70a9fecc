import { hash } from "node:crypto";
import {
  type ErrorsFile,
  plainCell,
  readCsv,
  refuseRows,
  requireNoExtraCell,
  requireUnique,
  shownValue,
  type WrongRow,
} from "@/lib/cli/shared/csv-file";
import { UsageError } from "@/lib/cli/shared/flags";
import { flagOf, isFromExport, looksLikeField } from "@/lib/cli/shared/list-headings";
import { chunks, oneLine, withNoun } from "@/lib/cli/shared/output";
import { noContact } from "@/lib/cli/shared/sending";
import { knownSources } from "@/lib/domain/source";
import { preferredContactOf } from "@/lib/server/invitations/create-invitations";
import { type Invitation, invitationFields } from "@/lib/server/invitations/invitation";
import { type ExistingRow, findByRowHash, openApplications } from "@/lib/server/invitations/issued-already";
import { readInvitation } from "@/lib/server/invitations/read-invitation";

const maxReported = 10;
const rowsAtOnce = 500;

export type InvitationList = Awaited<ReturnType<typeof readList>>;
type ListRow = InvitationList["rows"][number];

/** A row that is a valid invitation and has no application yet. */
export type NewRow = ListRow & { invitation: Invitation };

export interface ListOptions extends ErrorsFile {
  batch: string;
  allowDuplicates: boolean;
  /** Accepts any source. By default only the known ones are accepted, because another one may be mistyped. */
  isAnySource?: boolean;
  send: boolean;
}

/** The invitation of flags or of a CSV row. Throws one error that lists every problem, with its value if it comes from a row. */
export function requireInvitation(given: Record<string, unknown>, { showsValues = false } = {}): Invitation {
  const read = readInvitation(given);
  if ("invitation" in read) return read.invitation;
  const messages = read.problems.map(({ flag, message, value }) =>
    `${flag} ${message}${showsValues && value !== undefined ? `: ${shownValue(value)}` : ""}`.trim(),
  );
  throw new UsageError([...new Set(messages)].join("; "));
}

/**
 * Reads a list. The columns in `carried`, and those of our own export that are not about an invitation, are copied to the links file
 * without being interpreted.
 */
export async function readList(file: string, carried: string[]) {
  const { rows, ...csv } = await readCsv(file);
  const { name, headings } = csv;
  /** The flag of each column. It is empty for a column that is only copied. */
  const flags = headings.map((heading) => (carried.includes(heading) ? "" : (flagOf(heading) ?? "")));
  const missing = carried.filter((heading) => !headings.includes(heading));
  if (missing.length > 0)
    throw new Error(`${name} has no column ${missing.map((heading) => `'${heading}'`).join(", ")} to carry.`);
  const known = invitationFields.map(({ flag }) => flag);
  const isCopied = (heading: string) => carried.includes(heading) || isFromExport(heading, headings);
  const unknown = headings.filter((heading) => !flagOf(heading) && !isCopied(heading));
  if (!flags.includes("mobile"))
    throw new Error(`${name} has no column mobile. Its first row must hold the headings: ${known.join(", ")}.`);
  if (unknown.length > 0) {
    const quoted = (some: string[]) => some.map((heading) => `'${heading}'`);
    const likely = quoted(unknown.filter(looksLikeField));
    const foreign = quoted(unknown.filter((heading) => !looksLikeField(heading)));
    const advice = [
      ...(likely.length > 0 ? [`Rename or remove ${likely.join(", ")}: it looks like one of them.`] : []),
      ...(foreign.length > 0
        ? [`To copy unchanged: ${foreign.map((heading) => `--carry ${heading}`).join(" ")}.`]
        : []),
    ];
    throw new Error(
      `${name}: unknown column ${quoted(unknown).join(", ")}. The columns are ${known.join(", ")}. ${advice.join(" ")}`,
    );
  }
  requireUnique(name, flags, headings);
  const occurrences = new Map<string, number>();
  const listRows = rows.map((row) => {
    const content = contentHash(headings, flags, row.cells);
    const occurrence = (occurrences.get(content) ?? 0) + 1;
    occurrences.set(content, occurrence);
    // A row has the same hash in any file and position. Identical rows in a file have different hashes.
    return { ...row, hash: sha256([content, occurrence]) };
  });
  if (listRows.length === 0) throw new Error(`${name} has no rows.`);
  return { ...csv, flags, rows: listRows };
}

/**
 * Identifies a row by its non-empty cells and their headings, in any order, so that a column can be moved or added. Headings
 * that name the same flag are equal. A carried column is identified by its heading as it is written.
 */
function contentHash(headings: string[], flags: string[], cells: string[]): string {
  const filled = cells.flatMap((cell, index) => {
    const name = flags[index] ? [flags[index]] : ["carried", headings[index]];
    // Programs differ in how they write a line break.
    return cell === "" ? [] : [JSON.stringify([...name, flags[index] ? meaning(cell) : oneLine(cell)])];
  });
  return sha256(filled.sort());
}

const meaning = (cell: string) => plainCell(oneLine(cell));

const sha256 = (value: unknown) => hash("sha256", JSON.stringify(value));

/**
 * Validates all rows that have no application yet, before any link is issued. Reports the other rows, except those whose link
 * is in the links file. Throws an error that shows every wrong row, or writes them to a file.
 */
export async function newRows(list: InvitationList, options: ListOptions, inFile = new Set<string>()) {
  const found: NewRow[] = [];
  const existing: ExistingRow[] = [];
  const faults: WrongRow[] = [];
  const rowOf = new Map<string, number>();
  for (const chunk of chunks(list.rows, rowsAtOnce)) {
    const hashes = chunk.map(({ hash }) => hash);
    const applications = await findByRowHash(options.batch, hashes);
    existing.push(...applications.values());
    const rows = chunk.filter(({ hash }) => !applications.has(hash));
    const valid = rows.flatMap((row) => {
      try {
        return [{ ...row, invitation: invitationOf(row, list, options) }];
      } catch (error) {
        faults.push({ row: row.row, problem: (error as Error).message });
        return [];
      }
    });
    if (!options.allowDuplicates) faults.push(...(await duplicates(valid, rowOf)));
    found.push(...valid);
  }
  await refuseRows(list.name, faults, "Nothing was created.", options);
  reportExisting(existing.filter(({ reference }) => !inFile.has(reference)));
  return found;
}

function invitationOf(row: ListRow, { flags }: InvitationList, { send, isAnySource }: ListOptions): Invitation {
  requireNoExtraCell(row);
  const isRepeatable = (flag: string) => invitationFields.some((known) => known.flag === flag && known.multiple);
  // An empty cell counts as not given. One cell may hold several quotes, separated by semicolons.
  const given = flags.flatMap((flag, index) => {
    const cell = meaning(row.cells[index] ?? "");
    return flag && cell ? [[flag, isRepeatable(flag) ? cell.split(";") : cell]] : [];
  });
  const invitation = requireInvitation(Object.fromEntries(given), { showsValues: true });
  const { source } = invitation;
  if (!isAnySource && source !== "" && !knownSources.includes(source))
    throw new Error(`source ${source} is not one of ${knownSources.join(", ")}; --source-ok accepts it`);
  if (send && !preferredContactOf(invitation)) throw new Error(noContact);
  return invitation;
}

async function duplicates(rows: NewRow[], rowOf: Map<string, number>): Promise<WrongRow[]> {
  const open = await openApplications(rows.map(({ invitation }) => invitation.answers.mobile ?? ""));
  return rows.flatMap(({ row, invitation }) => {
    const mobile = invitation.answers.mobile ?? "";
    const earlierRow = rowOf.get(mobile);
    if (earlierRow !== undefined) return [{ row, problem: `mobile ${mobile} is also in row ${earlierRow}` }];
    if (open.has(mobile)) return [{ row, problem: `mobile ${mobile} has an open application, ${open.get(mobile)}` }];
    rowOf.set(mobile, row);
    return [];
  });
}

/** Reports on stderr the rows for which nothing is created, because a program may read stdout. */
function reportExisting(existing: ExistingRow[]): void {
  for (const batch of new Set(existing.map((row) => row.batch))) {
    const rows = existing.filter((row) => row.batch === batch);
    const count = withNoun(rows.length, "row already has an application", "rows already have applications");
    const nothing = `and nothing was created for ${rows.length === 1 ? "it" : "them"}. Links cannot be printed again`;
    const references = rows.slice(0, maxReported).map(({ reference }) => reference);
    if (rows.length > maxReported) references.push("…");
    console.error(
      batch === ""
        ? `${count}, without a batch (${references.join(", ")}), ${nothing}: npm run links -- reissue REFERENCE issues a new one. To invite the same people again, name a new --batch.`
        : `${count}, in the batch '${batch}', ${nothing}: npm run links -- reissue --batch '${batch}' --unopened --out FILE issues new ones.`,
    );
  }
}
