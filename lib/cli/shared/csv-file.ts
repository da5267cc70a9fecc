import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import type { Info, Options } from "csv-parse";
// Both from one entry point: each entry point has its own CsvError class, and instanceof would not match another's.
import { CsvError, parse } from "csv-parse/sync";
import { byteOrderMark, csvLine, spreadsheetCell, withNoun, writeOut } from "./output";

/** The line at the top with which a file names its separator. A spreadsheet does not show it as a row. */
const separatorLine = /^"?sep=([^"\w ])"?(\r\n|\n|\r)/i;
/** Columns are compared with each other, so the time grows with the square of their number. */
const maxColumns = 1000;

/**
 * Reads a CSV file as Excel writes it: UTF-8, UTF-16, Windows-1252 or Mac Roman, with commas, semicolons or tabs. Returns the
 * non-empty rows, each with its row number in a spreadsheet and one cell for each non-empty heading.
 */
export async function readCsv(file: string) {
  const name = file === "-" ? "standard input" : file;
  const content = decode(name, file === "-" ? await buffer(process.stdin) : await readBytes(file));
  const separator = separatorLine.exec(content)?.[1];
  const text = content.replace(separatorLine, "");
  const firstLine = text.split(/[\r\n]+/).find((line) => /[^\s,;]/.test(line)) ?? "";
  const count = (delimiter: string) => firstLine.split(delimiter).length;
  const [likely = ","] = [",", ";", "\t"].sort((left, right) => count(right) - count(left));
  const delimiter = separator ?? likely;
  const [head, ...rows] = parseRows(name, withQuotedFormulas(text, delimiter), delimiter);
  const all = head?.cells ?? [];
  // A spreadsheet may have empty columns between the others.
  const columns = [...all.keys()].filter((column) => all[column] !== "");
  if (columns.length > maxColumns)
    throw new Error(`${name} has ${columns.length} columns, but a list can have ${maxColumns} at most.`);
  const listRows = rows.map(({ cells, row }) => ({
    row,
    cells: columns.map((column) => cells[column] ?? ""),
    extraCell: cells.find((cell, column) => cell !== "" && !all[column]),
  }));
  return { name, delimiter, headings: columns.map((column) => all[column] ?? ""), rows: listRows };
}

/** An empty name does not count. */
export function requireUnique(file: string, names: string[], headings: string[]): void {
  const repeated = names.find((name, index) => name !== "" && names.indexOf(name) !== index);
  if (repeated === undefined) return;
  const both = headings.filter((_, index) => names[index] === repeated).map(shownValue);
  throw new Error(`${file} has the column ${repeated} twice: ${both.join(", ")}.`);
}

/** Refuses a row with a cell that has no heading, such as one after an unquoted comma. */
export function requireNoExtraCell({ extraCell }: { extraCell?: string }): void {
  if (extraCell) throw new Error(`a cell has no heading above it: ${shownValue(extraCell)}`);
}

/** Quotes ="0412", which some programs write without the quotation marks that CSV requires. */
function withQuotedFormulas(text: string, delimiter: string): string {
  const end = `\\${delimiter}\\r\\n`;
  return text.replace(new RegExp(`(^|[${end}]) *="([^"${end}]*)" *(?=[${end}]|$)`, "g"), '$1"=""$2"""');
}

/**
 * What a cell means in a spreadsheet: ="0412" is the text 0412, and an apostrophe at the beginning says that the rest is text. Our
 * own exports write both (output.ts).
 */
export function plainCell(cell: string): string {
  const [, formula, quotedFormula] = /^="(.*)"$|^"=""(.*)"""$/s.exec(cell) ?? [];
  const text = formula?.replaceAll('""', '"') ?? quotedFormula ?? cell;
  return text.replace(/(^|;)'(?=\s*[=+\-@\t\r＝＋－＠]|[\d ()-]+(?:;|$))/g, "$1").trim();
}

function readBytes(file: string): Promise<Buffer> {
  return readFile(file).catch(() => {
    throw new Error(`The file ${file} cannot be read.`);
  });
}

function decode(name: string, bytes: Buffer): string {
  const start = bytes.subarray(0, 4).toString("hex");
  // Without a byte order mark, UTF-16 is recognised by the zero byte of the first letter.
  if (start.startsWith("fffe") || bytes[1] === 0) return new TextDecoder("utf-16le").decode(bytes);
  if (start.startsWith("feff") || bytes[0] === 0) return new TextDecoder("utf-16be").decode(bytes);
  // The first bytes of a .xlsx file ('PK' and two more: a heading may begin with PK) and of a .xls file.
  if (start === "504b0304" || start === "d0cf11e0")
    throw new Error(`${name} is a workbook: save the sheet as CSV first.`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // Only the Macintosh CSV of Excel ends each line with a carriage return alone.
    if (bytes.includes("\r") && !bytes.includes("\n")) return new TextDecoder("macintosh").decode(bytes);
    refuseBrokenUtf8(name, bytes);
    return bytes.toString("latin1").replace(/[\x80-\x9f]/g, (byte) => windows1252[byte.charCodeAt(0) - 0x80] ?? byte);
  }
}

/** Refuses a file in UTF-8 with wrong bytes. Read as Windows-1252, every accented letter in it would become two others. */
function refuseBrokenUtf8(name: string, bytes: Buffer): void {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  if (text.startsWith("\ufeff") || count(/[^\0-\x7f\ufffd]/g) >= count(/\ufffd/g))
    throw new Error(`${name} is cut off or mixes two encodings: save it again as CSV in UTF-8.`);
}

/**
 * Windows-1252 differs from Latin 1 only in 0x80 to 0x9F: curly quotes, dashes, the euro sign. In several releases of Node 20,
 * 22 and 24, TextDecoder decodes these bytes as Latin 1 (nodejs/node#56542).
 */
const windows1252 = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";

function parseRows(name: string, text: string, delimiter: string): { cells: string[]; row: number }[] {
  try {
    const records = parseRecords(text, { trim: true, delimiter });
    const rows = records.map(({ record }, index) => ({ cells: record, row: index + 1 }));
    return rows.filter(({ cells }) => cells.some((cell) => cell !== ""));
  } catch (error) {
    // A misplaced quotation mark is the only CSV error that can occur, because rows may have any width.
    if (!(error instanceof CsvError)) throw error;
    throw new Error(`${name}, row ${Number(error.records) + 1}: a quotation mark (") is unclosed or misplaced.`);
  }
}

/** The package would expect the first line's ending on every line, and join rows that end differently. */
const lineEnds = ["\r\n", "\n", "\r"];

/** Parses records of any width, each with its position in the file. */
export function parseRecords(content: string | Buffer, options: Options): { record: string[]; info: Info }[] {
  // The package does not declare the type of the records that the `info` option returns.
  return parse(content, { ...options, record_delimiter: lineEnds, info: true, relax_column_count: true }) as never;
}

/** A wrong row of a list, with what is wrong and the wrong value. */
export interface WrongRow {
  row: number;
  problem: string;
}

export interface ErrorsFile {
  errors?: string;
  /** Whether an existing file is replaced. */
  force?: boolean;
}

/** Throws an error that shows all wrong rows, or says to which file it has written them. */
export async function refuseRows(name: string, wrong: WrongRow[], outcome: string, file: ErrorsFile): Promise<void> {
  if (wrong.length === 0) return;
  const sorted = wrong.toSorted((left, right) => left.row - right.row);
  if (file.errors === undefined)
    throw new Error([...sorted.map(({ row, problem }) => `${name}, row ${row}: ${problem}`), outcome].join("\n"));
  const lines = sorted.map(({ row, problem }) => csvLine([String(row), spreadsheetCell(problem)]));
  await writeOut([byteOrderMark, csvLine(["row", "problem"]), ...lines], file.errors, { replaces: file.force });
  throw new Error(`${withNoun(wrong.length, "wrong row is", "wrong rows are")} in ${file.errors}. ${outcome}`);
}

const maxShown = 60;

/** A value in an error, shortened. */
export const shownValue = (value: string) => `'${value.length > maxShown ? `${value.slice(0, maxShown)}…` : value}'`;
