import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { temporaryFolder } from "./temporary-folder";

/** Gives each test a folder for its files, and people whom no other test of the file invites. */
export function ownLists() {
  const parent = temporaryFolder();
  let [folder, count] = ["", 0];
  beforeEach(() => {
    folder = mkdtempSync(join(parent, "list-"));
    count += 1;
  });
  return {
    path: (name: string) => join(folder, name),
    mobileOf: (n: number) => `614${String(count).padStart(2, "0")}${String(n).padStart(6, "0")}`,
    emailOf: (n: number) => `person${n}@list${count}.example`,
  };
}

/** Returns the lines that the current test has printed on standard error. */
export function printedErrors(): string[] {
  const lines: string[] = [];
  beforeEach(() => {
    lines.length = 0;
    jest.spyOn(console, "error").mockImplementation((text) => void lines.push(...text.split("\n")));
  });
  return lines;
}

/** Returns the rows of a file of links, or none if the file does not exist. */
export const rowsIn = (file: string, delimiter = ","): Record<string, string>[] =>
  existsSync(file) ? parse(readFileSync(file), { columns: true, bom: true, delimiter }) : [];

export const referencesIn = (file: string): string[] => rowsIn(file).map(({ reference = "" }) => reference);
