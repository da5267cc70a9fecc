import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import type { Info, Options } from "csv-parse";
// From one entry: each has a class of its own, and instanceof distinguishes them.
import { CsvError, parse } from "csv-parse/sync";

/** A CSV file as Excel writes it: UTF-8, UTF-16 or the code page of its machine, with commas, semicolons or tabs. */
export interface CsvFile {
  name: string;
  delimiter: string;
  headings: string[];
  /** The rows that hold anything, each with its number as a spreadsheet shows it. */
  rows: { cells: string[]; row: number }[];
}

/** Reads a file, or standard input for "-". */
export async function readCsv(file: string): Promise<CsvFile> {
  const name = file === "-" ? "standard input" : file;
  const text = decode(name, file === "-" ? await buffer(process.stdin) : await readBytes(file));
  const firstLine = text.split(/[\r\n]/, 1)[0] ?? "";
  const count = (delimiter: string) => firstLine.split(delimiter).length;
  const [delimiter = ","] = [",", ";", "\t"].sort((one, other) => count(other) - count(one));
  const [head, ...rows] = parseRows(name, text, delimiter);
  const cells = head?.cells ?? [];
  const headings = cells.slice(0, cells.findLastIndex((heading) => heading !== "") + 1);
  return { name, delimiter, headings, rows };
}

function readBytes(file: string): Promise<Buffer> {
  return readFile(file).catch(() => {
    throw new Error(`The file ${file} cannot be read.`);
  });
}

function decode(name: string, bytes: Buffer): string {
  const start = bytes.subarray(0, 2).toString("hex");
  if (start === "fffe") return new TextDecoder("utf-16le").decode(bytes);
  if (start === "feff") return new TextDecoder("utf-16be").decode(bytes);
  if (bytes.subarray(0, 2).toString() === "PK") throw new Error(`${name} is a workbook: save the sheet as CSV first.`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return bytes.toString("latin1").replace(/[\x80-\x9f]/g, (one) => windows1252[one.charCodeAt(0) - 0x80] ?? one);
  }
}

/**
 * Windows-1252 differs from Latin 1 in 0x80 to 0x9F alone: curly quotes, dashes, the euro. TextDecoder of several releases of
 * Node 20, 22 and 24 decodes these as Latin 1 (nodejs/node#56542).
 */
const windows1252 = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";

function parseRows(name: string, text: string, delimiter: string): CsvFile["rows"] {
  try {
    const records = parseRecords(text, { trim: true, delimiter });
    const rows = records.map(({ record }, index) => ({ cells: record, row: index + 1 }));
    return rows.filter(({ cells }) => cells.some((cell) => cell !== ""));
  } catch (error) {
    // Nothing else is an error here: any width of a row will do.
    if (!(error instanceof CsvError)) throw error;
    throw new Error(
      `${name}, row ${Number(error.records) + 1}: a quotation mark (") is not closed, or stands where none belongs.`,
    );
  }
}

/** Records of any width, each with its place in the file. */
export function parseRecords(content: string | Buffer, options: Options): { record: string[]; info: Info }[] {
  // The package declares no type for the records that `info` changes.
  return parse(content, { ...options, info: true, relax_column_count: true }) as never;
}

const mostProblems = 10;
const counted = (count: number) => count.toLocaleString("en");

/** What is wrong with the rows of a file: the first ten, and how many there are. */
export function problemsOf(problems: string[], outcome: string): Error {
  const more = `… and ${counted(problems.length - mostProblems)} more rows, ${counted(problems.length)} in all.`;
  return new Error(
    [...problems.slice(0, mostProblems), ...(problems.length > mostProblems ? [more] : []), outcome].join("\n"),
  );
}

/** The name of a column, in any case: 'First Name' is first-name. */
export const columnName = (heading: string) => heading.toLowerCase().replace(/[\s_]+/g, "-");

/** A cell as one line: a spreadsheet may have broken it. */
export const oneLine = (cell: string) => cell.replace(/\s*[\r\n]+\s*/g, " ");

export function* chunks<T>(all: T[], size: number): Generator<T[]> {
  for (let start = 0; start < all.length; start += size) yield all.slice(start, start + size);
}
