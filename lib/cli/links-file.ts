import {
  closeSync,
  createReadStream,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { CsvError, parse } from "csv-parse";
import { dayIn } from "@/lib/domain/zone-time";
import type { IssuedLink } from "@/lib/server/invitations/create-invitations";
import { knownLinks } from "@/lib/server/invitations/issued-already";
import { currentSettings } from "@/lib/server/settings";
import { byteOrderMark, csvLine } from "./csv-line";
import { inChunks } from "./in-chunks";
import { cannotWrite } from "./write-out";

/** Links that are written, synced and committed together. */
export const linksAtOnce = 500;

/** The output of `invite -- --csv … --out FILE`: the input's columns, and the link of each row. */
export interface LinksFile {
  /** Those whose links earlier runs of the same command have written and committed. */
  references: Set<string>;
  /** Returns once the links are on the disk, so that they can be committed. */
  append(rows: { cells: string[] }[], issued: IssuedLink[]): void;
}

/** `headings` are the input's. A file that is there already has to be this command's own: it is continued. */
export async function linksFile(name: string, headings: string[], delimiter: string): Promise<LinksFile> {
  requireFile(name);
  const start = Buffer.from(byteOrderMark + csvLine([...headings, "reference", "link", "expiry"], delimiter));
  let found = statSync(name, { throwIfNoEntry: false })?.size ?? 0;
  const { references, end } = await committed({ name, start, width: headings.length, delimiter });
  let size = end;
  return {
    references,
    append(rows, issued) {
      const lines = rows.map(({ cells }, index) => {
        const { reference = "", link = "", expiresAt = "" } = issued[index] ?? {};
        return csvLine(
          [...cells, reference, link, expiresAt && dayIn(new Date(expiresAt), currentSettings().brand)],
          delimiter,
        );
      });
      const text = Buffer.concat([size === 0 ? start : Buffer.alloc(0), Buffer.from(lines.join(""))]);
      appendDurably({ name, found, size, text });
      size += text.length;
      found = size;
    },
  };
}

/** What a pipe has taken may never be read, and nobody could tell which links those were. */
function requireFile(name: string): void {
  const is = statSync(name, { throwIfNoEntry: false });
  const printed = fstatSync(1);
  if (!is || (is.isFile() && !(is.dev === printed.dev && is.ino === printed.ino))) return;
  throw new Error(`--out ${name} is not a file on a disk. Without --out the links are printed, all or none.`);
}

interface Addition {
  name: string;
  /** How many bytes this run last saw in the file. */
  found: number;
  size: number;
  text: Buffer;
}

/** Appends after the first `size` bytes: what follows them belongs to links that were never committed. */
function appendDurably({ name, found, size, text }: Addition): void {
  try {
    const descriptor = openSync(name, "a", 0o600);
    try {
      // Something else has written to it, such as a run on another database: cutting that off could lose its links.
      if (fstatSync(descriptor).size !== found) throw Object.assign(new Error(), { code: "CHANGED" });
      ftruncateSync(descriptor, size);
      writeFileSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    if (size === 0) syncFolder(name);
  } catch (error) {
    throw new Error(cannotWrite(name, error as NodeJS.ErrnoException));
  }
}

/** The name of a new file is in its folder, which is written on its own. */
function syncFolder(name: string): void {
  const descriptor = openSync(dirname(name), "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

interface Form {
  name: string;
  start: Buffer;
  /** Columns of the input. */
  width: number;
  delimiter: string;
}

/**
 * The references of the links that the database has, and how many bytes of the file they are. Links are written before they
 * are committed, so a run that was killed leaves some at the end that open nothing: at most one transaction's.
 */
async function committed(form: Form): Promise<{ references: Set<string>; end: number }> {
  const references = new Set<string>();
  let end = isBegun(form) ? form.start.length : 0;
  if (end === 0) return { references, end };
  let unknown = 0;
  for await (const rows of inChunks(writtenRows(form), linksAtOnce)) {
    const known = await knownLinks(rows.map(({ link }) => link));
    for (const row of rows) {
      if (!known.has(row.link)) unknown += 1;
      else if (unknown > 0) unknown = Number.POSITIVE_INFINITY;
      else {
        references.add(row.reference);
        end = row.end;
      }
    }
  }
  if (unknown > linksAtOnce) throw new Error(`The file ${form.name} has links that this database does not know.`);
  return { references, end };
}

/** Whether the file has its headings. A disk can be full after half of them. */
function isBegun({ name, start }: Form): boolean {
  if (!existsSync(name)) return false;
  const descriptor = openSync(name, "r");
  const buffer = Buffer.alloc(start.length);
  const head = buffer.subarray(0, readSync(descriptor, buffer, 0, start.length, 0));
  closeSync(descriptor);
  if (!start.subarray(0, head.length).equals(head))
    throw new Error(`The file ${name} is there already, and does not begin with the columns of this input.`);
  return head.length === start.length;
}

async function* writtenRows({ name, start, width, delimiter }: Form) {
  const parser = createReadStream(name, { start: start.length }).pipe(
    parse({ delimiter, info: true, relax_column_count: true }),
  );
  try {
    for await (const { record, info } of parser) {
      const [reference = "", link = ""]: string[] = record.slice(width);
      yield { reference, link, end: start.length + info.bytes };
    }
  } catch (error) {
    // The last row is cut off within quotes.
    if (!(error instanceof CsvError)) throw error;
  }
}
