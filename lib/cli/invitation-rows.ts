import { createHash } from "node:crypto";
import { type Invitation, invitationFlags, invitationSchema } from "@/lib/server/invitations/invitation";
import { type CsvForm, type CsvSource, csvRows } from "./csv-source";

/** Parses an invitation from flags or a CSV row. Throws one error for everything that is wrong with it. */
export function readInvitation(given: unknown): Invitation {
  const parsed = invitationSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new Error([...new Set(parsed.error.issues.map((issue) => issue.message))].join("; "));
}

/** A row of the file: its cells as they are, one for each heading, and what to read from them. */
export interface InvitationRow {
  line: number;
  cells: string[];
  /** The same for the same row, in whatever file and order. Of identical rows, each has its own. */
  hash: string;
  /** Throws what is wrong with the row. */
  invitation(): Invitation;
}

export interface InvitationTable {
  headings: string[];
  rows(): AsyncGenerator<InvitationRow>;
}

/** Columns are known by their flags, in any case: 'First Name' is first-name. */
const flagOf = (heading: string) => heading.toLowerCase().replace(/[\s_]+/g, "-");

/** `carried` are headings of columns that are taken along and not read. */
export async function invitationTable(source: CsvSource, form: CsvForm, carried: string[]): Promise<InvitationTable> {
  const first = await csvRows(source, form).next();
  const headings = withoutTrailing(first.value?.cells ?? []);
  const flags = headings.map((heading) => (carried.includes(heading) ? "" : known(heading, source)));
  const twice = flags.find((flag, index) => flag !== "" && flags.indexOf(flag) !== index);
  if (twice !== undefined) throw new Error(`${source.name} has the column ${twice} twice.`);
  async function* rows(): AsyncGenerator<InvitationRow> {
    let isHeading = true;
    const times = new Map<string, number>();
    for await (const { cells, line } of csvRows(source, form)) {
      if (!isHeading) {
        const own = headings.map((_, index) => cells[index] ?? "");
        const invitation = () => {
          if (cells.slice(headings.length).some((cell) => cell !== ""))
            throw new Error("a cell has no heading above it");
          return readInvitation(given(flags, own));
        };
        const content = contentOf(headings, flags, own);
        const occurrence = (times.get(content) ?? 0) + 1;
        times.set(content, occurrence);
        yield { line, cells: own, hash: sha256([content, occurrence]), invitation };
      }
      isHeading = false;
    }
  }
  return { headings, rows };
}

/**
 * A row is known by its cells with their headings: not by the order of the columns, nor by empty cells, so that a column can
 * be moved or added. A heading may be written in any way that is read the same; a carried column counts by its own heading.
 */
function contentOf(headings: string[], flags: string[], cells: string[]): string {
  const filled = cells.flatMap((cell, index) => {
    const name = flags[index] ? [flags[index]] : ["carried", headings[index]];
    return cell === "" ? [] : [JSON.stringify([...name, cell])];
  });
  return sha256(filled.sort());
}

function sha256(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}

function withoutTrailing(headings: string[]): string[] {
  const last = headings.findLastIndex((heading) => heading !== "");
  return headings.slice(0, last + 1);
}

function known(heading: string, { name }: CsvSource): string {
  const flag = flagOf(heading);
  if (invitationFlags.some((one) => one.flag === flag)) return flag;
  const all = invitationFlags.map((one) => one.flag).join(", ");
  const advice = `To take it along unread: --carry '${heading}'.`;
  throw new Error(`${name}: an invitation has no column '${heading}', only ${all}. ${advice}`);
}

/** An empty cell counts as not given. Several quotes are in one cell, separated by semicolons. */
function given(flags: string[], cells: string[]): Record<string, unknown> {
  const said = flags.flatMap((flag, index) => (flag && cells[index] ? [[flag, cells[index]] as const] : []));
  return Object.fromEntries(said.map(([flag, cell]) => [flag, isMultiple(flag) ? cell.split(";") : cell]));
}

const isMultiple = (flag: string) => invitationFlags.some((one) => one.flag === flag && one.multiple);
