import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { expect, same } from "@/__tests__/promises/support/expect";
import { call } from "@/__tests__/support/processes/call";
import { milliseconds } from "@/__tests__/support/processes/figures";
import { several } from "@/__tests__/support/processes/several";
import type { Place } from "./deployed";
import { differences, type Landlord } from "./kept";

async function operate(place: Place, name: string, ...args: string[]): Promise<string> {
  const { code, out, err } = await place.operations(name, ...args);
  same([code, err], [0, ""], `exit code and complaints of '${name} ${args.join(" ")}'`);
  return out;
}

const submitted = ({ landlords }: Place) => landlords.filter(({ submittedAt }) => submittedAt);

export async function find(place: Place): Promise<string> {
  const wanted = submitted(place)[7] as Landlord;
  const { reference, mobile } = wanted;
  const ways = [
    reference.toLowerCase().replace("-", ""),
    mobile.replace(/^61(...)(...)/, "0$1 $2 "),
    `byron ${reference}`,
  ];
  const times: string[] = [];
  for (const words of ways) {
    const begun = performance.now();
    const found: { reference: string }[] = JSON.parse(
      await operate(place, "applications", "find", ...words.split(" "), "--json"),
    );
    times.push(milliseconds(performance.now() - begun));
    same(
      found.map((one) => one.reference),
      [reference],
      `found by '${words}'`,
    );
  }
  return `one of ${place.landlords.length.toLocaleString("en")} by reference, mobile and name: ${times.join(", ")}`;
}

export async function show(place: Place): Promise<string> {
  const { reference, saved } = submitted(place)[7] as Landlord;
  const page = await operate(place, "applications", "show", reference);
  const { email = "", agencyName = "" } = saved;
  for (const text of [reference, email, agencyName]) expect(page.includes(text), `show lacks ${text}`);
  return `${page.split("\n").length} lines on one application`;
}

export async function decide(place: Place): Promise<string> {
  const decisions = ["approved", "declined", "in-review"];
  const chosen = submitted(place).slice(0, 9);
  await several(chosen.length, 2, async (n) => {
    const landlord = chosen[n] as Landlord;
    const status = decisions[n % 3] ?? "";
    await operate(place, "status", landlord.reference, status, "--by", "Ines", "--reason", `Reason ${n}`);
    landlord.status = status;
    landlord.done.push(`status_changed ${status} Ines Reason ${n}`);
    const { body } = await call(place.front, "verify-token", { token: landlord.token });
    same(body.data?.status, status, "status that the link shows");
  });
  return `${chosen.length} by Ines, with reasons; the links show them`;
}

export async function exportAll(place: Place): Promise<string> {
  const out = join(place.folder, "applications.csv");
  await operate(place, "export", "--out", out);
  const rows: Record<string, string>[] = parse(readFileSync(out, "utf8"), { columns: true, bom: true });
  const byReference = new Map(rows.map((row) => [row.reference, row]));
  const lost = place.landlords.flatMap(({ reference, status, saved }) =>
    differences({ reference, status, ...saved }, byReference.get(reference) ?? {}),
  );
  same([rows.length, lost], [place.landlords.length, []], "rows of the export, and what they lack");
  const { reference, saved } = submitted(place)[0] as Landlord;
  const held = await operate(place, "person", "export", reference);
  for (const value of Object.values(saved)) expect(held.includes(value), `person export lacks ${value}`);
  return `${rows.length.toLocaleString("en")} rows, with every acknowledged answer; and all that is held on one person`;
}

export async function erase(place: Place): Promise<string> {
  const chosen = submitted(place).slice(6, 12);
  await several(chosen.length, 2, async (n) => {
    const landlord = chosen[n] as Landlord;
    await operate(place, "person", "erase", landlord.reference, "--by", "Vera");
    landlord.isErased = true;
    landlord.done = [...landlord.done.map((one) => one.replace(/ Reason.*/, "")), "erased Vera"];
    const { status } = await call(place.front, "verify-token", { token: landlord.token });
    same(status, 401, "status of the link of an erased application");
  });
  return `${chosen.length} people, some after a decision`;
}
