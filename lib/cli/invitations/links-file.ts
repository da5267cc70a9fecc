import {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  statSync,
  truncateSync,
} from "node:fs";
import { dirname } from "node:path";
import { parseRecords } from "@/lib/cli/shared/csv-file";
import { byteOrderMark, cannotWrite, chunks, csvLine } from "@/lib/cli/shared/output";
import { toTheMinute } from "@/lib/server/brand-time";
import type { IssuedLink } from "@/lib/server/invitations/create-invitations";
import { findExistingLinks } from "@/lib/server/invitations/issued-already";

/** The number of links that are written, synced and committed together. */
export const linksPerTransaction = 500;

/**
 * Opens the output of `invite -- --csv … --out FILE`: the columns of the input, whose headings are given, and the link of each
 * row. An existing file must come from the same command, which then appends to it.
 */
export async function openLinksFile(name: string, headings: string[], delimiter: string) {
  requireFile(name);
  const content = existsSync(name) ? readFileSync(name) : Buffer.alloc(0);
  const head = Buffer.from(byteOrderMark + csvLine([...headings, "reference", "link", "expiry"], delimiter));
  if (!head.subarray(0, content.length).equals(content.subarray(0, head.length)))
    throw new Error(`The file ${name} already exists and does not begin with the columns of this input.`);
  const committed = await committedLinks(name, content.subarray(head.length), headings.length, delimiter);
  const end = committed.at(-1)?.end ?? 0;
  /** Everything after this length belongs to links that were never committed. */
  let size = content.length < head.length ? 0 : head.length + end;
  let lastSize = content.length;
  // A program that has saved the file may have removed its last line end.
  let lineEnd = end === 0 || /[\r\n]$/.test(content.toString("latin1", size - 1, size)) ? "" : "\r\n";
  const write = (text: Buffer) => {
    appendDurably(name, text, { lastSize, size });
    size += text.length;
    lastSize = size;
  };
  return {
    /** The applications whose links earlier runs of the same command have written and committed. */
    references: new Set(committed.map(({ reference }) => reference)),
    /** Returns once the links are on the disk, so that they can be committed. */
    append(rows: { cells: string[] }[], issued: IssuedLink[]): void {
      const lines = rows.map(({ cells }, index) => {
        const { reference = "", link = "", expiresAt = "" } = issued[index] ?? {};
        return csvLine([...cells, reference, link, expiresAt && toTheMinute(expiresAt)], delimiter);
      });
      write(Buffer.concat([...(size === 0 ? [head] : []), Buffer.from(lineEnd + lines.join(""))]));
      lineEnd = "";
    },
    /** Removes links that were never committed: if this run appends none, somebody would send them. */
    removeUncommitted(): void {
      if (size < lastSize) write(Buffer.alloc(0));
    },
  };
}

/** Requires a regular file. If nobody reads a pipe to its end, nobody knows which links were lost. */
function requireFile(name: string): void {
  const file = statSync(name, { throwIfNoEntry: false });
  const output = fstatSync(1);
  if (!file || (file.isFile() && !(file.dev === output.dev && file.ino === output.ino))) return;
  throw new Error(`--out ${name} is not a file on a disk. Without --out the links are printed, all or none.`);
}

/**
 * The links of the complete rows, of which a full disk or a killed process may have cut off the last. Links are written before
 * they are committed, so a killed run leaves at most one transaction's links uncommitted. `end` is in bytes after the headings.
 */
async function committedLinks(name: string, rows: Buffer, width: number, delimiter: string) {
  const links = parseRecords(rows, { delimiter, skip_records_with_error: true }).map(({ record, info }) => {
    const [reference = "", link = ""] = record.slice(width);
    return { reference, link, end: info.bytes };
  });
  const known = new Set<string>();
  for (const chunk of chunks(links, linksPerTransaction))
    for (const link of await findExistingLinks(chunk.map((written) => written.link))) known.add(link);
  const committed = links.slice(0, links.findLastIndex(({ link }) => known.has(link)) + 1);
  if (committed.every(({ link }) => known.has(link)) && links.length - committed.length <= linksPerTransaction)
    return committed;
  throw new Error(`The file ${name} has links that this database does not know.`);
}

/** Replaces everything after the first `size` bytes. `lastSize` is the file's length when this run last saw it. */
function appendDurably(name: string, text: Buffer, { lastSize, size }: { lastSize: number; size: number }): void {
  try {
    // Another program, such as a run on another database, has written to the file. Truncating could lose its links.
    const found = statSync(name, { throwIfNoEntry: false })?.size ?? 0;
    if (found !== lastSize) throw Object.assign(new Error(), { code: "CHANGED" });
    if (size < lastSize) truncateSync(name, size);
    appendFileSync(name, text, { mode: 0o600, flush: true });
    if (size > 0) return;
    // The folder holds the name of a new file, and syncing the file does not sync the folder.
    const folder = openSync(dirname(name), "r");
    fsyncSync(folder);
    closeSync(folder);
  } catch (error) {
    throw new Error(cannotWrite(name, error as NodeJS.ErrnoException));
  }
}
