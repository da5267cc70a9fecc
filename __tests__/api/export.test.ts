import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { consent } from "@/__tests__/support/answers";
import { fillIn, submitFinal } from "@/__tests__/support/calls";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { post } from "@/__tests__/support/post";
import { runCommand } from "@/__tests__/support/run-command";
import { savedAnswers } from "@/lib/domain/application";

const { operationsUrl: url, sql } = freshDatabase();
const run = (...args: string[]) => runCommand("export", args, { DATABASE_URL: url });
const rowsIn = (text: string): Record<string, string>[] => parse(text, { columns: true, bom: true });

jest.setTimeout(60_000);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "export-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

test("an export holds every answer, in a file that a spreadsheet reads as UTF-8", async () => {
  const { token, reference } = await invited({ firstName: "Zoë" });
  await fillIn(token);
  await post(submitFinal, { token, data: consent });
  const file = join(folder, "all.csv");
  expect(await run("--out", file)).toMatchObject({ code: 0, out: `Wrote ${file}.\n` });
  expect([...readFileSync(file).subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const [row = {}] = rowsIn(readFileSync(file, "utf8"));
  expect(Object.keys(row)).toEqual(expect.arrayContaining([...savedAnswers]));
  expect(row).toMatchObject({ reference, status: "submitted", invitedFirstName: "Zoë", leaseStartDate: "2026-03-01" });
  expect(row).toMatchObject({ loanAmount: "33650.00", authoriseAgent: "true", provideSelf: "false" });
});

test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1+1", "\r=1+1"])("%j is no formula in a spreadsheet", async (text) => {
  const { id } = await invited();
  await sql(`UPDATE applications SET "agencyName" = $2 WHERE id = $1`, [id, text]);
  const { out } = await run("--status", "draft");
  expect(rowsIn(out).map((row) => row.agencyName)).toContain(`'${text}`);
});

test("an export holds more than a page of rows, each once, and only those asked for", async () => {
  await sql(`INSERT INTO applications (reference, "createdAt")
    SELECT 'N' || lpad(n::text, 7, '0'), '2020-01-01' FROM generate_series(1, 2500) AS n`);
  const references = rowsIn((await run("--status", "draft")).out).map((row) => row.reference ?? "");
  expect(references.filter((reference) => /^N\d/.test(reference))).toHaveLength(2_500);
  expect(new Set(references).size).toBe(references.length);
  expect(rowsIn((await run("--status", "submitted", "--since", "today")).out)).toHaveLength(1);
  expect((await run("--since", "2020-01-02")).out).not.toContain("N0000001");
});

test("an export writes over nothing, and says so", async () => {
  const file = join(folder, "there.csv");
  writeFileSync(file, "mine");
  expect(await run("--out", file)).toMatchObject({
    code: 1,
    out: "",
    err: `The file ${file} cannot be written: it is there already.\n`,
  });
  expect(readFileSync(file, "utf8")).toBe("mine");
  expect((await run("--status", "gone")).err).toMatch(/^There is no status gone/);
});
