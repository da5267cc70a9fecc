import { createHash } from "node:crypto";
import { knownSources } from "@/lib/domain/source";
import { contactOf } from "@/lib/server/invitations/create-invitations";
import { type Invitation, invitationFlags, invitationSchema } from "@/lib/server/invitations/invitation";
import { type Listed, listedApplications, openApplications } from "@/lib/server/invitations/issued-already";
import { type CsvFile, chunks, columnName, oneLine, problemsOf, readCsv } from "./csv-file";
import { noContact } from "./sending";

const maxReported = 10;
const rowsAtOnce = 500;

/** A row of the file that is not checked yet. */
interface ListRow {
  /** As a spreadsheet numbers it. */
  row: number;
  /** One for each heading. */
  cells: string[];
  hasExtraCells: boolean;
  /** The same for the same row, in whatever file and order. Of identical rows, each has its own. */
  hash: string;
}

export interface InvitationList extends Pick<CsvFile, "name" | "delimiter" | "headings"> {
  /** The flag of each column; empty for a column that is carried along. */
  flags: string[];
  rows: ListRow[];
}

/** A row that is a valid invitation and no application yet. */
export interface NewRow extends ListRow {
  invitation: Invitation;
}

interface Terms {
  batch: string;
  allowDuplicates: boolean;
  /** Also a source that changes nothing: it may be mistyped. */
  isAnySource?: boolean;
  send: boolean;
}

/** Parses an invitation from flags or a CSV row. Throws one error for everything that is wrong with it. */
export function readInvitation(given: unknown): Invitation {
  const parsed = invitationSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new Error([...new Set(parsed.error.issues.map((issue) => issue.message))].join("; "));
}

/** Reads a list. `carried` are headings of columns that are copied to the links file and not read. */
export async function readList(file: string, carried: string[]): Promise<InvitationList> {
  const { rows, ...csv } = await readCsv(file);
  const { name, headings } = csv;
  const flags = headings.map((heading) => (carried.includes(heading) ? "" : columnName(heading)));
  requireColumns(name, headings, carried);
  const repeated = flags.find((flag, index) => flag !== "" && flags.indexOf(flag) !== index);
  if (repeated !== undefined) throw new Error(`${name} has the column ${repeated} twice.`);
  const occurrences = new Map<string, number>();
  const listRows = rows.map(({ cells: all, row }) => {
    const cells = headings.map((_, index) => all[index] ?? "");
    const content = contentHash(headings, flags, cells);
    const occurrence = (occurrences.get(content) ?? 0) + 1;
    occurrences.set(content, occurrence);
    const hasExtraCells = all.slice(headings.length).some((cell) => cell !== "");
    return { row, cells, hasExtraCells, hash: sha256([content, occurrence]) };
  });
  if (listRows.length === 0) throw new Error(`${name} has no rows.`);
  return { ...csv, flags, rows: listRows };
}

/** Names every column that an invitation does not have. */
function requireColumns(name: string, headings: string[], carried: string[]): void {
  const known = invitationFlags.map(({ flag }) => flag);
  const unknown = headings.filter((heading) => !carried.includes(heading) && !known.includes(columnName(heading)));
  if (unknown.length === 0) return;
  const quoted = unknown.map((heading) => `'${heading}'`);
  const advice = `To take it along unread: ${quoted.map((heading) => `--carry ${heading}`).join(" ")}.`;
  throw new Error(`${name}: an invitation has no column ${quoted.join(", ")}, only ${known.join(", ")}. ${advice}`);
}

/**
 * A row is identified by its cells with their headings: not by the order of the columns, nor by empty cells, so that a column
 * can be moved or added. A heading may be written in any way that is read the same; a carried column keeps its own heading.
 */
function contentHash(headings: string[], flags: string[], cells: string[]): string {
  const filled = cells.flatMap((cell, index) => {
    const name = flags[index] ? [flags[index]] : ["carried", headings[index]];
    return cell === "" ? [] : [JSON.stringify([...name, cell])];
  });
  return sha256(filled.sort());
}

function sha256(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}

/**
 * Validates the rows that are no application yet: all of them before any link is issued. Reports the other rows, except those
 * whose link is in the links file. Throws what is wrong: the first ten lines and a count.
 */
export async function newRows(list: InvitationList, terms: Terms, inFile = new Set<string>()): Promise<NewRow[]> {
  const found: NewRow[] = [];
  const listed: Listed[] = [];
  const faults: string[] = [];
  const rowOf = new Map<string, number>();
  for (const some of chunks(list.rows, rowsAtOnce)) {
    const hashes = some.map(({ hash }) => hash);
    const applications = await listedApplications(terms.batch, hashes);
    listed.push(...applications.values());
    const rows = some.filter(({ hash }) => !applications.has(hash));
    const valid = rows.flatMap((row) => {
      try {
        return [{ ...row, invitation: invitationOf(row, list, terms) }];
      } catch (error) {
        faults.push(`${list.name}, row ${row.row}: ${(error as Error).message}`);
        return [];
      }
    });
    if (!terms.allowDuplicates) faults.push(...(await duplicates(valid, list.name, rowOf)));
    found.push(...valid);
  }
  if (faults.length > 0) throw problemsOf(faults, "Nothing was created.");
  reportListed(listed.filter(({ reference }) => !inFile.has(reference)));
  return found;
}

function invitationOf(row: ListRow, { flags }: InvitationList, { send, isAnySource }: Terms): Invitation {
  if (row.hasExtraCells) throw new Error("a cell has no heading above it");
  const isRepeatable = (flag: string) => invitationFlags.some((one) => one.flag === flag && one.multiple);
  // An empty cell counts as not given. Several quotes are in one cell, separated by semicolons.
  const given = flags.flatMap((flag, index) => {
    const cell = oneLine(row.cells[index] ?? "");
    return flag && cell ? [[flag, isRepeatable(flag) ? cell.split(";") : cell]] : [];
  });
  const invitation = readInvitation(Object.fromEntries(given));
  const { source } = invitation;
  if (!isAnySource && source !== "" && !knownSources.includes(source))
    throw new Error(`source ${source} is none of ${knownSources.join(", ")} (--source-ok)`);
  if (send && !contactOf(invitation)) throw new Error(noContact);
  return invitation;
}

async function duplicates(rows: NewRow[], name: string, rowOf: Map<string, number>): Promise<string[]> {
  const open = await openApplications(rows.map(({ invitation }) => invitation.answers.mobile ?? ""));
  return rows.flatMap(({ row, invitation }) => {
    const mobile = invitation.answers.mobile ?? "";
    const before = rowOf.get(mobile);
    if (before !== undefined) return [`${name}, row ${row}: mobile ${mobile} is in row ${before}, too`];
    if (open.has(mobile)) return [`${name}, row ${row}: mobile ${mobile} has an open application, ${open.get(mobile)}`];
    rowOf.set(mobile, row);
    return [];
  });
}

/** Reports the rows for which nothing is created. On stderr: stdout may be read by a program. */
function reportListed(listed: Listed[]): void {
  for (const batch of new Set(listed.map((one) => one.batch))) {
    const rows = listed.filter((one) => one.batch === batch);
    const isOne = rows.length === 1;
    const count = isOne
      ? "1 row is an application already"
      : `${rows.length.toLocaleString("en")} rows are applications already`;
    const nothing = `and nothing was created for ${isOne ? "it" : "them"}. Links cannot be printed again`;
    const references = rows.slice(0, maxReported).map(({ reference }) => reference);
    if (rows.length > maxReported) references.push("…");
    console.error(
      batch === ""
        ? `${count}, without a batch (${references.join(", ")}), ${nothing}: npm run links -- reissue REFERENCE makes a new one. To invite the same people anew, name a new --batch.`
        : `${count}, in the batch '${batch}', ${nothing}: npm run links -- reissue --batch '${batch}' --unopened --out FILE makes new ones.`,
    );
  }
}
