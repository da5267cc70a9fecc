import { createReadStream } from "node:fs";
import { access, constants } from "node:fs/promises";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { CsvError, parse } from "csv-parse";

/** A CSV file, read as often as needed and never held whole; standard input is held, since it can be read only once. */
export interface CsvSource {
  name: string;
  open(): Readable;
}

/** A record, with the line on which it ends. */
export interface CsvRow {
  cells: string[];
  line: number;
}

export async function csvSource(file: string): Promise<CsvSource> {
  if (file === "-") {
    const held = await buffer(process.stdin);
    return { name: "standard input", open: () => Readable.from([held]) };
  }
  await access(file, constants.R_OK).catch(() => {
    throw new Error(`The file ${file} cannot be read.`);
  });
  return { name: file, open: () => createReadStream(file) };
}

/** Excel writes UTF-8, UTF-16 or the code page of its machine, and commas, semicolons or tabs between the cells. */
export interface CsvForm {
  encoding: string;
  delimiter: string;
}

export async function formOf(source: CsvSource): Promise<CsvForm> {
  const encoding = await encodingOf(source);
  let head = "";
  for await (const text of decoded(source, encoding)) {
    head += text;
    if (/[\r\n]/.test(head)) break;
  }
  const headings = head.split(/[\r\n]/, 1)[0] ?? "";
  const count = (delimiter: string) => headings.split(delimiter).length;
  const [delimiter = ","] = [",", ";", "\t"].sort((one, other) => count(other) - count(one));
  return { encoding, delimiter };
}

async function encodingOf(source: CsvSource): Promise<string> {
  const utf8 = new TextDecoder("utf-8", { fatal: true });
  let isFirst = true;
  for await (const bytes of source.open()) {
    if (isFirst && bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
    if (isFirst && bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
    if (isFirst && bytes.subarray(0, 2).toString("latin1") === "PK")
      throw new Error(`${source.name} is a workbook: save the sheet as CSV first.`);
    isFirst = false;
    try {
      utf8.decode(bytes, { stream: true });
    } catch {
      return "windows-1252";
    }
  }
  return "utf-8";
}

async function* decoded(source: CsvSource, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const bytes of source.open()) yield decoder.decode(bytes, { stream: true });
  yield decoder.decode();
}

/** The rows that hold anything, headings first. */
export async function* csvRows(source: CsvSource, { encoding, delimiter }: CsvForm): AsyncGenerator<CsvRow> {
  const parser = parse({
    ...{ delimiter, info: true, trim: true, relax_column_count: true },
    ...{ skip_empty_lines: true, skip_records_with_empty_values: true },
  });
  // What fails is thrown by the loop below as well.
  pipeline(Readable.from(decoded(source, encoding)), parser).catch(() => {});
  try {
    for await (const { record, info } of parser) yield { cells: record, line: info.lines };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new Error(`${source.name}, line ${error.lines}: ${error.message}`);
  }
}
