import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { callCommand } from "@/__tests__/support/call-command";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { temporaryFolder } from "@/__tests__/support/temporary-folder";
import { printable } from "@/lib/domain/printable-text";

const { operationsUrl, sql, column, insertMessage } = freshDatabase();
/** The server is on UTC and the lender in Sydney. */
const env = { TZ: "UTC", BRAND_TIME_ZONE: "Australia/Sydney", BRAND_LOCALE: "en-AU" };
const run = async (name: string, ...args: string[]) => {
  const { code, out, err } = await callCommand(name, args, { DATABASE_URL: operationsUrl, ...env });
  if (code !== 0) throw new Error(err);
  return out;
};

const reference = "K7QM-4XRT";
const folder = temporaryFolder();
beforeAll(async () => {
  // 13:30 UTC is half past midnight of the next day in Sydney.
  await sql(
    `WITH a AS (
      INSERT INTO applications (reference, status, "firstName", mobile, "createdAt", "updatedAt", "submittedAt", "leaseStartDate")
      VALUES ($1, 'submitted', 'Ada', '61412345678', '2026-11-20 13:30Z', '2026-11-20 13:30Z', '2026-11-22 13:30:05Z', '2026-12-01')
      RETURNING id
    ), l AS (
      INSERT INTO links ("applicationId", "createdAt", "expiresAt") SELECT id, '2026-11-20 13:30Z', '2099-12-20 13:30Z' FROM a
    ), m AS (
      INSERT INTO messages (kind, channel, recipient, state, "dueAt", "sentAt")
      VALUES ('test', 'email', 'a@b.example', 'waiting', '2026-11-25 13:30Z', NULL),
        ('test', 'email', 'a@b.example', 'sent', '2026-11-22 13:31Z', '2026-11-22 13:30Z')
    )
    INSERT INTO events ("applicationId", kind, at) SELECT id, 'submitted', '2026-11-22 13:30:05Z' FROM a`,
    [reference],
  );
});

test.each([["list"], ["list", "--csv"], ["find", "Ada"]])(
  "applications %s prints times in the lender's zone",
  async (...args) => {
    const out = await run("applications", ...args);
    for (const time of ["2026-11-23 00:30 AEDT", "2026-11-21 00:30 AEDT"]) expect(out).toContain(time);
  },
);

test("a note with tabs and line breaks stays in its column of the list", async () => {
  const plain = (await run("applications", "list")).split("\n").length;
  await run("applications", "note", reference, "Called\ttwice.\nNo answer.", "--by", "Ines");
  const out = await run("applications", "list");
  expect(out.split("\n")).toHaveLength(plain);
  expect(out).toContain("\tCalled twice. No answer.");
});

test("the page of one application prints every time in the lender's zone", async () => {
  const out = await run("applications", "show", reference);
  expect(out).toMatch(/submitted +2026-11-23 00:30:05 AEDT/);
  expect(out).toContain("issued 2026-11-21 00:30:00 AEDT   until 2099-12-21 00:30:00 AEDT");
  expect(out).toContain("2026-11-23 00:30:05 AEDT   submitted");
  expect(out).not.toContain("UTC");
});

test("the page of one application says that its link has expired", async () => {
  const expire = (to: string) => sql(`UPDATE links SET "expiresAt" = $1`, [to]);
  await expire("2026-11-22T13:30:00Z");
  const out = await run("applications", "show", reference);
  await expire("2099-12-20T13:30:00Z");
  expect(out).toContain("issued 2026-11-21 00:30:00 AEDT   expired 2026-11-23 00:30:00 AEDT");
});

test("messages and the export print times in the lender's zone; a calendar date stays unchanged", async () => {
  // When a message was sent, or when one that waits is due.
  const listed = (await run("messages", "list", "--no-heading", "--state", "sent, waiting")).trim().split("\n");
  expect(listed.map((line) => line.split("\t")[1])).toEqual(["2026-11-23 00:30 AEDT", "2026-11-26 00:30 AEDT"]);
  const out = await run("export");
  expect(out).toContain(`${reference},submitted,,2026-11-21 00:30:00 AEDT,`);
  expect(out).toContain(",2026-11-23 00:30:05 AEDT,");
  expect(out).toContain(",2026-12-01,");
});

test("JSON output keeps times as instants", async () => {
  const [listed] = JSON.parse(await run("applications", "list", "--json"));
  expect(listed).toMatchObject({ submittedAt: "2026-11-22T13:30:05.000Z", invitedAt: "2026-11-20T13:30:00.000Z" });
  const [message] = JSON.parse(await run("messages", "list", "--json"));
  expect(message).toMatchObject({ sent: "2026-11-22T13:30:00.000Z" });
  const { application } = JSON.parse(await run("person", "export", reference));
  expect(new Date(application.submittedAt).toISOString()).toBe("2026-11-22T13:30:05.000Z");
  expect(application.submittedAt).toMatch(/^2026-11-22T13:30:05/);
});

test.each([
  ["applications", ["list"]],
  ["export", []],
  ["messages", ["list"]],
])("--since of %s is a day in the lender's zone", async (name, args) => {
  expect(await run(name, ...args, "--since", "2026-11-23")).toContain("2026-11-23 00:30");
  expect(await run(name, ...args, "--since", "2026-11-24")).not.toContain("2026-11-23 00:30");
});

test("the reason for a suppression cannot control the terminal", async () => {
  await run("suppressions", "add", "c@b.example", "--by", "Vera", "--reason", "asked\u009b2J");
  expect(await run("suppressions", "check", "c@b.example")).toContain("asked\\u009b2J");
});

test("a new link is printed with its expiry, and the links file has the day, in the lender's zone", async () => {
  // Kiritimati (UTC+14) and Pago Pago (UTC-11) never share a date.
  const csv = join(folder, "in.csv");
  writeFileSync(csv, "mobile\n61422222222\n");
  const days = new Set<string>();
  for (const BRAND_TIME_ZONE of ["Pacific/Kiritimati", "Pacific/Pago_Pago"]) {
    const out = join(folder, `${BRAND_TIME_ZONE.slice(8)}.csv`);
    const args = ["--csv", csv, "--out", out, "--batch", BRAND_TIME_ZONE, "--allow-duplicates"];
    const place = { DATABASE_URL: operationsUrl, ...env, BRAND_TIME_ZONE };
    expect(await callCommand("invite", args, place)).toMatchObject({ code: 0 });
    const timeZone = BRAND_TIME_ZONE;
    const expiry = readFileSync(out, "utf8").trim().split(",").at(-1) ?? "";
    const [at] = await column(`SELECT max("expiresAt") FROM links WHERE "expiresAt" < '2099-01-01'`);
    const minute = new Intl.DateTimeFormat("sv", { timeZone, dateStyle: "short", timeStyle: "short" }).format(at);
    expect(expiry).toBe(`${minute} ${timeZone.slice(8).replace("_", " ")} time`);
    days.add(expiry.slice(0, 10));
    const single = await callCommand("links", ["reissue", reference], place);
    expect(single.out).toMatch(/Valid until +\d{4}-\d\d-\d\d \d\d:\d\d (Kiritimati|Pago Pago) time/);
  }
  expect(days.size).toBe(2);
});

test("control characters stored earlier do not reach the operator's terminal", async () => {
  const { id, reference } = await invited({ mobile: "61412345678" });
  const evil = "red\u009b31m\u001b]0;title\u0007";
  await sql(`UPDATE applications SET "firstName" = $1, mobile = '61412345678' WHERE id = $2`, [evil, id]);
  await sql(`INSERT INTO events ("applicationId", kind, detail) VALUES ($1, 'link_opened', $2)`, [id, evil]);
  await insertMessage({ applicationId: id, kind: "status", error: evil });
  for (const [name, ...args] of [
    ["applications", "list"],
    ["applications", "list", "--json"],
    ["applications", "show", reference],
    ["applications", "show", reference, "--json"],
    ["messages", "list"],
    ["messages", "list", "--json"],
    ["person", "export", reference],
    ["export"],
  ] as const) {
    const { out, code } = await callCommand(name, [...args], { DATABASE_URL: operationsUrl });
    expect([name, args, code, out.match(/(?![\n\r\t])\p{Cc}/gu)]).toEqual([name, args, 0, null]);
    expect(out).toContain(reference);
  }
});

test("escaping unprintable characters does not change the value of JSON", () => {
  const value = { text: "a\u009bb\u202e\u007f\n" };
  expect(JSON.parse(printable(JSON.stringify(value)))).toEqual(value);
});
