import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { callCommand } from "@/__tests__/support/call-command";
import { fillIn } from "@/__tests__/support/calls";
import { freshDatabase } from "@/__tests__/support/database";
import { declareChoice } from "@/__tests__/support/declared-choice";
import { invited } from "@/__tests__/support/invited";
import { program } from "@/__tests__/support/program";
import { readAll } from "@/__tests__/support/read-all";
import { refused } from "@/__tests__/support/run-command";
import { setStatus } from "@/__tests__/support/set-status";
import { fillInAndSubmit, submitted } from "@/__tests__/support/submitted";
import { temporaryFolder } from "@/__tests__/support/temporary-folder";
import { spreadsheetCell, writeOut } from "@/lib/cli/shared/output";
import { savedAnswers } from "@/lib/domain/application";
import type { ApplicationStatus } from "@/lib/domain/statuses";
import { exportedRows } from "@/lib/server/applications/export";
import { personalDataOf } from "@/lib/server/applications/personal-data";
import { personalDataPage } from "@/lib/server/templates/personal-data-page";

const { operationsUrl: url, sql, blockedBy, untilBlocked, whileLocked } = freshDatabase();
const run = (...args: string[]) => callCommand("export", args, { DATABASE_URL: url });
const rowsIn = (text: string): Record<string, string>[] => parse(text, { columns: true, bom: true });

const folder = temporaryFolder();

test("an export holds every answer, in a file that a spreadsheet reads as UTF-8", async () => {
  const { reference } = await submitted({ firstName: "Zoë" });
  const file = join(folder, "all.csv");
  expect(await run("--out", file)).toMatchObject({ code: 0, out: `Wrote ${file}.\n` });
  expect([...readFileSync(file).subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const [labelled = {}] = rowsIn(readFileSync(file, "utf8"));
  const named = { Reference: reference, "Full name (invitation)": "Zoë", "Agent mobile": "61298765432" };
  expect(labelled).toMatchObject(named);
  const [row = {}] = rowsIn((await run("--columns")).out);
  expect(Object.keys(row)).toEqual(expect.arrayContaining([...savedAnswers]));
  expect(row).toMatchObject({ reference, status: "submitted", invitedFirstName: "Zoë", leaseStartDate: "2026-03-01" });
  expect(row).toMatchObject({ loanAmount: "33650.00", authoriseAgent: "true", provideSelf: "false" });
  expect(Object.values(row)).toEqual(Object.values(labelled));
  expect(new Set(Object.keys(labelled)).size).toBe(Object.keys(row).length);
});

test("an export has the batch, the first opening, the step and the decision", async () => {
  const { token, reference, id } = await invited({}, { batch: "spring" });
  const columns = () => rowsOf().then((rows) => rows.find((row) => row.reference === reference));
  expect(await columns()).toMatchObject({ batch: "spring", openedAt: "", step: "1", decidedAt: "" });
  await fillIn(token);
  expect(await columns()).toMatchObject({ step: "4" });
  // As if the agency had been declared after the step was saved.
  await sql(`UPDATE applications SET "agencyName" = '' WHERE id = $1`, [id]);
  expect(await columns()).toMatchObject({ step: "2" });
  await fillInAndSubmit(token);
  await setStatus(reference, "declined", { by: "Rui", reason: "No lease" });
  await setStatus(reference, "approved", { by: "Ines" });
  const time = expect.stringMatching(/ AE[DS]T$/);
  const decided = { decidedBy: "Ines", openedAt: time, step: "", decidedAt: time };
  expect(await columns()).toMatchObject({ ...decided, decisionReason: "" });
  await setStatus(reference, "approved", { by: "Ines", reason: "Rent is proven" });
  expect(await columns()).toMatchObject({ ...decided, decisionReason: "Rent is proven" });
  await setStatus(reference, "paid", { by: "Vera", reason: "Transfer 12" });
  expect(await columns()).toMatchObject({ status: "paid", ...decided, decisionReason: "Rent is proven" });
  for (const status of ["in-review", "submitted"] as const) {
    await setStatus(reference, status, { by: "Ines", reason: "Too early" });
    expect(await columns()).toMatchObject({ status, decidedAt: "", decidedBy: "", decisionReason: "" });
  }
});

test.each([
  ["a decision is corrected", "set_application_status(id, 'submitted', 'Rui', 'Too early')"],
  ["the person is erased", "erase_applications(ARRAY[id], 'Rui')"],
])("a row shows one moment, even if %s while it is read", async (_, change) => {
  const { reference } = await submitted();
  await setStatus(reference, "declined", { by: "Ines", reason: "No lease" });
  const lock = "LOCK TABLE events IN ACCESS EXCLUSIVE MODE";
  const changeIt = () => sql(`SELECT ${change} FROM applications WHERE reference = $1`, [reference]);
  const rows = await blockedBy(lock, [], () => rowsOf(), changeIt);
  const decision = { status: "declined", decidedBy: "Ines", decisionReason: "No lease" };
  expect(rows).toContainEqual(expect.objectContaining({ ...decision, reference, firstName: "Ada", erasedAt: "" }));
});

test("a number that a spreadsheet would change is kept as it is written", async () => {
  const { id } = await invited();
  await sql(`UPDATE applications SET approval = '002', "contactNumber" = '447911123456' WHERE id = $1`, [id]);
  const cells = async (...args: string[]) =>
    rowsIn((await run("--status", "draft", ...args)).out).flatMap(Object.values);
  expect(await cells()).toEqual(expect.arrayContaining(['="002"', '="447911123456"']));
  expect(await cells("--columns")).toEqual(expect.arrayContaining(["002", "447911123456"]));
});

describe("an answer that is a choice", () => {
  declareChoice();
  test("a choice is printed in words for people, and by the name of its option for programs", async () => {
    const { id, reference } = await invited({ agencyName: "quay" });
    await sql(`UPDATE applications SET "agencyName" = 'harbour' WHERE id = $1`, [id]);
    const words = { "Agency name": "Harbour Homes Pty Ltd", "Agency name (invitation)": "Quay Lettings" };
    const names = { agencyName: "harbour", invitedAgencyName: "quay" };
    expect(rowsIn((await run()).out)).toContainEqual(expect.objectContaining(words));
    expect(rowsIn((await run("--columns")).out)).toContainEqual(expect.objectContaining(names));
    const { out } = await callCommand("applications", ["show", reference], { DATABASE_URL: url });
    expect(out).toMatch(/Agency name +Harbour Homes Pty Ltd {3}\(invitation: Quay Lettings\)/);
    const page = personalDataPage(await personalDataOf(reference));
    expect(page).toContain("<dt>Agency name</dt><dd>Harbour Homes Pty Ltd</dd>");
    expect(page).toContain("<dt>Agency name</dt><dd>Quay Lettings</dd>");
  });
});

test("an applicant's text is not a formula in a spreadsheet", async () => {
  const { id } = await invited();
  await sql(`UPDATE applications SET "agencyName" = '=1+1' WHERE id = $1`, [id]);
  expect(rowsIn((await run("--status", "draft", "--columns")).out).map((row) => row.agencyName)).toContain("'=1+1");
});

test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1+1", "\r=1+1", "＝1+1", "＋1", "－1", "＠SUM(A1)"])(
  "%j is not a formula in a spreadsheet",
  (text) => {
    expect(spreadsheetCell(text)).toBe(`'${text}`);
    // Where a semicolon separates cells, it would begin another one.
    expect(spreadsheetCell(`A;${text}; B`)).toBe(`A;'${text}; B`);
  },
);

const rowsOf = async (statuses: ApplicationStatus[] = [], since: Date | null = null) => {
  const [columns = [], ...rows] = await readAll(exportedRows({ statuses, since }));
  return rows.map((cells) => Object.fromEntries(cells.map((cell, index) => [columns[index], cell])));
};

test("an export holds more than a page of rows, each once, and only those asked for", async () => {
  await sql(`INSERT INTO applications (reference, "createdAt", "submittedAt", status)
    SELECT 'N' || lpad(n::text, 7, '0'), '2020-01-01', '2020-02-01', 'in_review' FROM generate_series(1, 1001) AS n`);
  const references = (await rowsOf(["in-review"])).map(({ reference }) => reference);
  expect(references).toHaveLength(1_001);
  expect(new Set(references).size).toBe(1_001);
  expect(references).toEqual(references.toSorted());
  expect((await rowsOf()).length).toBeGreaterThan(1_001);
  const since = (day: string) => rowsOf(["in-review", "approved"], new Date(day));
  expect(await since("2020-02-01")).toHaveLength(1_001);
  expect(await since("2020-02-02")).toEqual([]);
});

test("an export that fails halfway leaves no file behind", async () => {
  const file = join(folder, "half.csv");
  async function* lines() {
    yield "reference\r\n";
    throw new Error("The connection is lost");
  }
  await expect(writeOut(lines(), file)).rejects.toThrow("The connection is lost");
  expect(existsSync(file)).toBe(false);
});

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("an export that %s ends leaves no file behind", async (signal) => {
  const file = join(folder, `${signal}.csv`);
  const written = () => readdirSync(folder).filter((name) => name.startsWith(signal));
  const command = program("lib/cli/applications/export.ts", "--out", file);
  await whileLocked("LOCK TABLE events IN ACCESS EXCLUSIVE MODE", [], async () => {
    const child = spawn(process.execPath, command, { env: { ...process.env, DATABASE_URL: url } });
    await untilBlocked();
    expect(written()).toEqual([expect.stringMatching(/\.part$/)]);
    child.kill(signal);
    expect(await once(child, "exit")).toEqual([null, signal]);
  });
  expect(written()).toEqual([]);
});

test("one of two simultaneous exports into one file is refused, and the other's file stays whole", async () => {
  const file = join(folder, "twice.csv");
  let isFirstWritten = () => {};
  const firstWritten = new Promise<void>((resolve) => {
    isFirstWritten = resolve;
  });
  async function* slow() {
    yield "a\n".repeat(50_000);
    await firstWritten;
    yield "b\n";
  }
  const second = writeOut(slow(), file);
  await writeOut(["first\n"], file);
  expect(readFileSync(file, "utf8")).toBe("first\n");
  isFirstWritten();
  await expect(second).rejects.toThrow("it already exists");
  expect(readFileSync(file, "utf8")).toBe("first\n");
  expect(readdirSync(folder).filter((name) => name.startsWith("twice.csv"))).toEqual(["twice.csv"]);
});

test("an export refuses to overwrite a file", async () => {
  const file = join(folder, "there.csv");
  writeFileSync(file, "mine");
  const err = `The file ${file} cannot be written: it already exists, and --force was not given.\n`;
  expect(await run("--out", file)).toEqual(refused(err));
  expect(readFileSync(file, "utf8")).toBe("mine");
});
