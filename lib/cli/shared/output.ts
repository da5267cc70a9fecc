import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, rmSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { createInterface } from "node:readline/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { printable } from "@/lib/domain/printable-text";
import { deskLink } from "@/lib/server/settings";
import { signals } from "./processes";

/** A count and its noun: '1 status', '2,000 statuses'. */
export function withNoun(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

export const formatCount = (count: number) => count.toLocaleString("en");

/** Turns 'First Name' or 'first_name' into first-name. */
export const slug = (name: string) =>
  name
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, "-");

/** Joins the lines of a cell, because cells of a spreadsheet may contain line breaks. */
export const oneLine = (cell: string) => cell.replace(/\s*[\r\n]+\s*/g, " ");

/** The line with the application's page at the desk, after what a command has done; empty without DESK_URL. */
export function onDesk(reference: string): string {
  const link = deskLink(reference);
  return link ? `\nDesk         ${link}` : "";
}

export function* chunks<T>(all: T[], size: number): Generator<T[]> {
  for (let start = 0; start < all.length; start += size) yield all.slice(start, start + size);
}

export function print(text: string): void {
  console.log(printable(text));
}

export const notCommitted =
  "Do not use what was printed: it may not have been committed. Run the command again. If it reports an application that exists, 'npm run links -- reissue' prints a new link to it.";

/** Resolves when the lines have left this process, because a link that could not be printed must not be committed. */
export function printAtOnce(lines: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(lines.map((line) => `${printable(line)}\n`).join(""), (error) => {
      if (!error) return resolve();
      // Printed here, because a closed output ends the process (command.ts).
      console.error(notCommitted);
      reject(error);
    });
  });
}

/** Prints a link or a key before it is committed, and warns about what was printed if the commit fails. */
export async function printBeforeCommit<Printed extends unknown[], Result>(
  print: (...printed: Printed) => Promise<void>,
  create: (print: (...printed: Printed) => Promise<void>) => Promise<Result>,
): Promise<Result> {
  let isPrinted = false;
  try {
    return await create(async (...printed) => {
      await print(...printed);
      isPrinted = true;
    });
  } catch (error) {
    if (isPrinted) console.error(notCommitted);
    throw error;
  }
}

/** On a terminal, aligned columns under their headings. In a pipe, plain lines with a tab between the cells. */
export function table(headings: string[], cells: string[][], withoutHeadings = false): string {
  const rows = cells.map((row) => row.map((cell) => cell.replace(/[\t\r\n]+/g, " ")));
  const all = withoutHeadings ? rows : [headings, ...rows];
  if (!process.stdout.isTTY) return all.map((row) => row.join("\t")).join("\n");
  const widths = headings.map((_, column) => all.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), 0));
  const line = (row: string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  const rule = line(widths.map((width) => "─".repeat(width)));
  return (withoutHeadings ? rows.map(line) : [line(headings), rule, ...rows.map(line)]).join("\n");
}

export function csvLine(cells: readonly string[], delimiter = ","): string {
  const quoted = cells.map((cell) =>
    /["\r\n]/.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell,
  );
  return `${quoted.join(delimiter)}\r\n`;
}

/** Without a byte order mark, Excel reads a CSV file in the code page of its machine. */
export const byteOrderMark = "\ufeff";

/**
 * An applicant's text must not run as a formula. A spreadsheet shows everything after an apostrophe as text. Some East Asian
 * versions of Excel also take full-width signs for the beginning of a formula. In many countries Excel starts a cell after a
 * semicolon, too.
 */
export function spreadsheetCell(text: string): string {
  return text.replace(/(^|;)(?=\s*[=+\-@\t\r＝＋－＠])/g, "$1'");
}

/** A spreadsheet would turn '002' into 2 and a long number into 6.1E+11. A formula keeps the text as it is written. */
export function spreadsheetText(text: string): string {
  return /^(0\d+|\d{12,}|\d+e\d+)$/i.test(text) ? `="${text}"` : spreadsheetCell(text);
}

/**
 * Writes to standard output, or to a new file that only this user may read, because it holds personal data. The file gets its name
 * when it is complete, so that a partial export is never mistaken for a complete one.
 */
export async function writeOut(
  lines: AsyncIterable<string> | Iterable<string>,
  file?: string,
  { replaces = false } = {},
): Promise<void> {
  if (file === undefined) return writeLines(lines);
  const requireNew = () => {
    if (!replaces && existsSync(file))
      throw new Error(`The file ${file} cannot be written: it already exists, and --force was not given.`);
  };
  requireNew();
  // Another command may be writing the same file.
  const part = `${file}.${randomUUID().slice(0, 8)}.part`;
  const removePart = (signal: NodeJS.Signals) => {
    rmSync(part, { force: true });
    // Without a listener, the signal ends the process.
    process.kill(process.pid, signal);
  };
  for (const signal of signals) process.once(signal, removePart);
  try {
    const created = await open(part, "wx", 0o600);
    await pipeline(Readable.from(lines), created.createWriteStream({ flush: true }));
    requireNew();
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true }).catch(() => {});
    const { code, syscall } = error as NodeJS.ErrnoException;
    throw syscall ? new Error(cannotWrite(file, { code })) : error;
  } finally {
    for (const signal of signals) process.off(signal, removePart);
  }
}

/** A pipeline would destroy standard output with the error of a query, as if the output could not be written. */
async function writeLines(lines: AsyncIterable<string> | Iterable<string>): Promise<void> {
  for await (const line of lines) if (!process.stdout.write(printable(line))) await once(process.stdout, "drain");
}

/** Names the path of the error, if it has one: a folder of the file may be what cannot be written. */
export function cannotWrite(file: string, { code, path = file }: Pick<NodeJS.ErrnoException, "code" | "path">): string {
  const reasons: Record<string, string> = {
    EEXIST: "it already exists",
    ENOSPC: "the disk is full",
    EFBIG: "it would exceed this user's limit for files",
    ENOENT: "its folder does not exist",
    ENOTDIR: "a part of its path is a file",
    EACCES: "this user may not write there",
    CHANGED: "another program has written to it",
  };
  return `The file ${path} cannot be written: ${reasons[code ?? ""] ?? code}.`;
}

/** Asks for confirmation on a terminal, even if standard output goes elsewhere. Ctrl-C and Ctrl-D answer no. */
export async function isConfirmed(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answered = lines.question(`${question} [y/N] `).catch(() => "");
  const answer = await Promise.race([answered, once(lines, "close").then(() => "")]);
  lines.close();
  return /^y(es)?$/i.test(answer.trim());
}
