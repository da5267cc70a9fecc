import { readFileSync } from "node:fs";
import { CsvError, parse } from "csv-parse/sync";
import { type Invitation, invitationSchema } from "@/lib/server/invitations/invitation";

/** Parses an invitation from flags or a CSV row. Throws one error for everything that is wrong with it. */
export function readInvitation(given: Record<string, unknown>): Invitation {
  const parsed = invitationSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new Error([...new Set(parsed.error.issues.map((issue) => issue.message))].join("; "));
}

interface Row {
  record: Record<string, string>;
  info: { lines: number };
}

function rowsOf(file: string): Row[] {
  let content: Buffer;
  try {
    content = readFileSync(file);
  } catch {
    throw new Error(`The file ${file} cannot be read.`);
  }
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(content);
    const options = { columns: true, info: true, skip_empty_lines: true, trim: true, bom: true } as const;
    return parse(text, options) as unknown as Row[];
  } catch (error) {
    const reason = error instanceof CsvError ? `line ${error.lines}: ${error.message}` : "it is not UTF-8 text.";
    throw new Error(`${file}, ${reason}`);
  }
}

/** An empty cell counts as not given. Several quotes are in one cell, separated by semicolons. */
function flagsOf(record: Record<string, string>): Record<string, unknown> {
  const { quote, ...rest } = Object.fromEntries(Object.entries(record).filter(([, cell]) => cell !== ""));
  return quote === undefined ? rest : { ...rest, quote: quote.split(";") };
}

/** Reads a CSV file with one column per flag. If any row is wrong, throws with the line numbers of all wrong rows. */
export function readInvitations(file: string): Invitation[] {
  const rows = rowsOf(file);
  const wrong: string[] = [];
  const invitations = rows.flatMap(({ record, info }) => {
    try {
      return [readInvitation(flagsOf(record))];
    } catch (error) {
      wrong.push(`${file}, line ${info.lines}: ${(error as Error).message}`);
      return [];
    }
  });
  if (wrong.length > 0) throw new Error(`${wrong.join("\n")}\nNothing was created.`);
  if (rows.length === 0) throw new Error(`${file} has no rows.`);
  return invitations;
}
