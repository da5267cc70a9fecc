import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { same } from "@/__tests__/promises/support/expect";
import type { Place } from "./deployed";

const invitations = 20_000;

/** A file of invitations, numbered from `first`. */
export function csvOf({ folder }: Place, name: string, first: number, count: number): string {
  const file = join(folder, name);
  const rows = Array.from({ length: count }, (_, n) => `04${String(first + n).padStart(8, "0")},Ada,Lovelace,ba`);
  writeFileSync(file, `mobile,first-name,last-name,source\n${rows.join("\n")}\n`);
  return file;
}

/** Takes in the landlords whose links the file has. */
export function takeIn({ landlords }: Place, file: string): number {
  const rows: Record<string, string>[] = parse(readFileSync(file, "utf8"), { columns: true, bom: true });
  for (const { reference = "", link = "", mobile = "" } of rows) {
    const token = new URL(link).searchParams.get("token") ?? "";
    landlords.push({
      reference,
      token,
      mobile: mobile.replace(/^0/, "61"),
      saved: {},
      status: "draft",
      done: [],
      isErased: false,
    });
  }
  return rows.length;
}

export const invite = (place: Place, csv: string, out: string) =>
  place.operations("invite", "--csv", csv, "--out", out, "--batch", "spring", "--by", "Ines");

export async function inviteMany(place: Place): Promise<string> {
  const out = join(place.folder, "links.csv");
  const { code, err } = await invite(place, csvOf(place, "in.csv", 0, invitations), out);
  same([code, err], [0, ""], "exit code and complaints of invite");
  same(takeIn(place, out), invitations, "links in the file");
  return "20,000 by CSV, 20,000 links in the file";
}
