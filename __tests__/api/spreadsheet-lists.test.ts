import { readFileSync, statSync, writeFileSync } from "node:fs";
import { callCommand } from "@/__tests__/support/call-command";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { ownLists } from "@/__tests__/support/own-lists";
import { newRows, readList } from "@/lib/cli/invitations/invitation-list";

const { operationsUrl: url, sql } = freshDatabase();
const settings = { DATABASE_URL: url, APP_URL: "https://a.example" };
const { path } = ownLists();

function csv(content: string): string {
  const file = path("in.csv");
  writeFileSync(file, content);
  return file;
}

const plain = { batch: "", allowDuplicates: false, send: false };
/** The answers of the first row of a list. */
const firstOf = async (content: string, carried: string[] = []) =>
  (await newRows(await readList(csv(content), carried), plain))[0]?.invitation.answers;

test.each([
  ["E-mail", "ada@mail.example", "email"],
  ["E-Mail Address", "ada@mail.example", "email"],
  ["Surname", "Ng", "lastName"],
  ["Family name", "Ng", "lastName"],
  ["Agency", "Banksia", "agencyName"],
  ["Agent e-mail", "bo@agency.example", "managerEmail"],
  ["Property manager's phone", "61298765432", "contactNumber"],
  ["contactNumber", "61298765432", "contactNumber"],
  ["Landlord's surname", "Ng", "lastName"],
])("the heading '%s' is understood", async (heading, cell, answer) => {
  expect(await firstOf(`Mobile,${heading}\n0412345678,${cell}\n`)).toEqual({ mobile: "61412345678", [answer]: cell });
});

test.each(["Phone", "Mobile phone", "MOBILE_NO.", "Landlord mobile", "Cell phone"])(
  "the heading '%s' is the mobile",
  async (heading) => expect(await firstOf(`${heading}\n0412345678\n`)).toEqual({ mobile: "61412345678" }),
);

test.each([
  ['="0412345678"', "a formula without the quotation marks of CSV"],
  ['"=""0412345678"""', "a formula"],
  ['"""=""""0412345678"""""""', "a formula in quotation marks"],
  ["'+61 412 345 678", "an apostrophe before a sign"],
  ["'0412345678", "an apostrophe before digits"],
])("the cell %s, %s, is the number that it means", async (cell) => {
  expect(await firstOf(`first-name,mobile,last-name\n"A ""B"" C",${cell},'t Hooft\n`)).toEqual({
    firstName: 'A "B" C',
    mobile: "61412345678",
    lastName: "'t Hooft",
  });
});

test.each(["Ada <ada@mail.example>", '"Ng, Ada" <ada@mail.example>;', "<ada@mail.example>", "mailto:ada@mail.example"])(
  "the email %s is an address",
  async (email) => {
    const cell = `"${email.replaceAll('"', '""')}"`;
    expect(await firstOf(`mobile,email\n0412345678,${cell}\n`)).toMatchObject({ email: "ada@mail.example" });
  },
);

test.each(["Ada <ada@mail.example> <bo@mail.example>", "a@mail.example, b@mail.example", "Ada <>"])(
  "the email %s is refused with its value",
  async (email) => {
    await expect(firstOf(`mobile;email\n0412345678;${email}\n`)).rejects.toThrow(
      `row 2: email is not an email address: '${email}'`,
    );
  },
);

test.each(["E-mial", "Moblie 2", "Home phone", "Agent fax", "Postal address", "phonenumber2", "leaseStart"])(
  "copying the column '%s' is not proposed, because it looks like a field",
  async (heading) => {
    const reading = readList(csv(`mobile,Hat size,${heading}\n0412345678,7,x\n`), []);
    await expect(reading).rejects.toThrow(
      `Rename or remove '${heading}': it looks like one of them. To copy unchanged: --carry 'Hat size'.`,
    );
    expect((await readList(csv(`mobile,${heading}\n0412345678,x\n`), [heading])).rows).toHaveLength(1);
  },
);

test.each([[[]], [["--columns"]]])(
  "an export is read back as a list, with its other columns copied (%j)",
  async (flags) => {
    const { reference } = await invited({ mobile: "447911123456", firstName: "=Ada", email: "ada@mail.example" });
    const file = path("export.csv");
    await callCommand("export", ["--out", file, ...flags], settings);
    await sql(`UPDATE links SET "revokedAt" = now() WHERE "revokedAt" IS NULL`);
    const { headings, rows, ...list } = await readList(file, []);
    const own = rows.filter(({ cells }) => cells.includes(reference));
    const [row] = await newRows({ ...list, headings, rows: own }, plain);
    expect(row?.invitation.answers).toMatchObject({
      mobile: "447911123456",
      firstName: "=Ada",
      email: "ada@mail.example",
    });
  },
);

test("with --errors, every wrong row is written to a new file that only this user may read", async () => {
  const file = csv(`mobile,email\n${"12,ada\n".repeat(12)}`);
  const errors = path("errors.csv");
  const run = (...args: string[]) => callCommand("invite", ["--csv", file, "--errors", errors, ...args], settings);
  expect(await run()).toEqual({ code: 1, out: "", err: `12 wrong rows are in ${errors}. Nothing was created.\n` });
  const [head, first, ...rest] = readFileSync(errors, "utf8").split("\r\n");
  expect([head, rest.length]).toEqual(["\ufeffrow,problem", 12]);
  expect(first).toMatch(/^2,".*: '12'; email is not an email address: 'ada'"$/);
  expect(statSync(errors).mode & 0o777).toBe(0o600);
  expect((await run()).err).toContain("already exists");
  expect((await run("--force")).err).toContain("12 wrong rows are in");
});
