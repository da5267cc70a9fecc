import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { minuteIn } from "@/lib/domain/zone-time";
import type { IssuedLink } from "@/lib/server/invitations/create-invitations";
import { knownLinks } from "@/lib/server/invitations/issued-already";
import { currentSettings } from "@/lib/server/settings";
import { chunks, parseRecords } from "./csv-file";
import { byteOrderMark, cannotWrite, csvLine } from "./output";

/** Links that are written, synced and committed together. */
export const linksAtOnce = 500;

/** The output of `invite -- --csv … --out FILE`: the input's columns, and the link of each row. */
export interface LinksFile {
  /** Those whose links earlier runs of the same command have written and committed. */
  references: Set<string>;
  /** Returns once the links are on the disk, so that they can be committed. */
  append(rows: { cells: string[] }[], issued: IssuedLink[]): void;
}

/** `headings` are the input's. An existing file must be this command's own: it is continued. */
export async function openLinksFile(name: string, headings: string[], delimiter: string): Promise<LinksFile> {
  requireFile(name);
  const content = existsSync(name) ? readFileSync(name) : Buffer.alloc(0);
  const head = Buffer.from(byteOrderMark + csvLine([...headings, "reference", "link", "expiry"], delimiter));
  if (!head.subarray(0, content.length).equals(content.subarray(0, head.length)))
    throw new Error(`The file ${name} already exists and does not begin with the columns of this input.`);
  const links = content.length < head.length ? [] : linksIn(content.subarray(head.length), headings.length, delimiter);
  const committed = await committedLinks(links, name);
  const end = committed.at(-1)?.end ?? 0;
  /** What follows belongs to links that were never committed. */
  let size = content.length < head.length ? 0 : head.length + end;
  let found = content.length;
  return {
    references: new Set(committed.map(({ reference }) => reference)),
    append(rows, issued) {
      const lines = rows.map(({ cells }, index) => {
        const { reference = "", link = "", expiresAt = "" } = issued[index] ?? {};
        const expiry = expiresAt && minuteIn(new Date(expiresAt), currentSettings().brand);
        return csvLine([...cells, reference, link, expiry], delimiter);
      });
      const text = Buffer.concat([...(size === 0 ? [head] : []), Buffer.from(lines.join(""))]);
      appendDurably(name, text, { found, size });
      size += text.length;
      found = size;
    },
  };
}

/** Somebody may never read what a pipe takes, so nobody would know which links were lost. */
function requireFile(name: string): void {
  const file = statSync(name, { throwIfNoEntry: false });
  const output = fstatSync(1);
  if (!file || (file.isFile() && !(file.dev === output.dev && file.ino === output.ino))) return;
  throw new Error(`--out ${name} is not a file on a disk. Without --out the links are printed, all or none.`);
}

interface WrittenLink {
  reference: string;
  link: string;
  /** Where its row ends, in bytes after the headings. */
  end: number;
}

/** The complete rows. A full disk or a kill may have cut off the last one. */
function linksIn(content: Buffer, width: number, delimiter: string): WrittenLink[] {
  return parseRecords(content, { delimiter, skip_records_with_error: true }).map(({ record, info }) => {
    const [reference = "", link = ""] = record.slice(width);
    return { reference, link, end: info.bytes };
  });
}

/** Links are written before they are committed, so a killed run leaves at most one transaction's at the end. */
async function committedLinks(links: WrittenLink[], name: string): Promise<WrittenLink[]> {
  const known = new Set<string>();
  for (const some of chunks(links, linksAtOnce))
    for (const link of await knownLinks(some.map((one) => one.link))) known.add(link);
  const committed = links.slice(0, links.findLastIndex(({ link }) => known.has(link)) + 1);
  if (committed.every(({ link }) => known.has(link)) && links.length - committed.length <= linksAtOnce)
    return committed;
  throw new Error(`The file ${name} has links that this database does not know.`);
}

/** Replaces what follows the first `size` of the `found` bytes that this run last saw in the file. */
function appendDurably(name: string, text: Buffer, { found, size }: { found: number; size: number }): void {
  try {
    const descriptor = openSync(name, "a", 0o600);
    try {
      // Another program has written to it, such as a run on another database: truncating could lose its links.
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
