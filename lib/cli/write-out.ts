import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { printable } from "./print";

/** Writes to standard output, or to a new file that only this user may read: it holds personal data. */
export async function writeOut(lines: AsyncIterable<string> | Iterable<string>, file?: string): Promise<void> {
  if (file === undefined) return print(lines);
  await pipeline(Readable.from(lines), createWriteStream(file, { flags: "wx", mode: 0o600, flush: true })).catch(
    (error) => {
      throw error.syscall ? new Error(cannotWrite(file, error)) : error;
    },
  );
}

/** Not by a pipeline: it would end standard output with the error of a query, as if that could not be written. */
async function print(lines: AsyncIterable<string> | Iterable<string>): Promise<void> {
  for await (const line of lines) if (!process.stdout.write(printable(line))) await once(process.stdout, "drain");
}

export function cannotWrite(file: string, { code }: NodeJS.ErrnoException): string {
  const reasons: Record<string, string> = {
    EEXIST: "it is there already",
    ENOSPC: "the disk is full",
    EFBIG: "it is as large as this user's files may be",
    ENOENT: "its folder does not exist",
    EACCES: "this user may not write there",
    CHANGED: "something else has written to it meanwhile",
  };
  return `The file ${file} cannot be written: ${reasons[code ?? ""] ?? code}.`;
}
