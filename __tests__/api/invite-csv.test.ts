import { spawn } from "node:child_process";
import { appendFileSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { callCommand } from "@/__tests__/support/call-command";
import { verify } from "@/__tests__/support/calls";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { ownLists, rowsIn } from "@/__tests__/support/own-lists";
import { post } from "@/__tests__/support/post";
import { program } from "@/__tests__/support/program";
import { refused } from "@/__tests__/support/run-command";
import { newRows, readList } from "@/lib/cli/invitations/invitation-list";
import { notCommitted } from "@/lib/cli/shared/output";

const { operationsUrl: url, sql, countRows } = freshDatabase();
const settings = { DATABASE_URL: url, APP_URL: "https://a.example" };
const invite = (...args: string[]) => callCommand("invite", args, settings);

jest.setTimeout(90_000);

const { path, mobileOf } = ownLists();
let before = 0;
beforeEach(async () => {
  await sql(`UPDATE links SET "revokedAt" = now() WHERE "revokedAt" IS NULL`);
  before = await countRows("applications");
});
const countCreated = async () => (await countRows("applications")) - before;

function csv(content: string | Buffer, name = "in.csv"): string {
  const file = path(name);
  writeFileSync(file, content);
  return file;
}
const out = () => path("links.csv");
const issue = (file: string, ...args: string[]) => invite("--csv", file, "--out", out(), ...args);
/** A list of people whom no other test invites. */
const many = (count: number) =>
  `mobile,first-name\n${Array.from({ length: count }, (_, n) => `${mobileOf(n)},Ada ${n}`).join("\n")}\n`;

/** Runs the command in a shell, which can set its standard input or limit the size of its files. */
function shell(script: string, input = ""): Promise<{ code: number | null; out: string; err: string }> {
  const node = [process.execPath, ...program("lib/cli/invitations/invite.ts")].join(" ");
  const child = spawn("bash", ["-c", script.replace("INVITE", node)], { env: { ...process.env, ...settings } });
  child.stdin.end(input);
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  return Promise.all([ended, text(child.stdout), text(child.stderr)]).then(([code, out, err]) => ({ code, out, err }));
}

test("the output has the columns of the input, the reference, the link and its expiry", async () => {
  const people = '0412 345 678;"Ng; Zoë";A-1\r\n\r\n;;\r\n+61 412 345 679;Bo;A-2;;\r\n';
  const file = csv(`Mobile;First Name;Customer\r\n${people}`);
  const result = await issue(file, "--batch", " spring ", "--carry", "Customer");
  expect(result).toMatchObject({ code: 0, err: "", out: `2 links issued; 2 are in ${out()}.\n` });
  const rows = rowsIn(out(), ";");
  expect(Object.keys(rows[0] ?? {})).toEqual(["Mobile", "First Name", "Customer", "reference", "link", "expiry"]);
  expect(rows.map(({ Customer }) => Customer)).toEqual(["A-1", "A-2"]);
  const token = new URL(rows[0]?.link ?? "").searchParams.get("token");
  expect((await post(verify, { token })).body.data).toMatchObject({
    reference: rows[0]?.reference,
    mobile: "61412345678",
    firstName: "Ng; Zoë",
  });
  expect(await sql("SELECT DISTINCT batch FROM applications WHERE batch <> ''")).toEqual([{ batch: "spring" }]);
  expect(statSync(out()).mode & 0o777).toBe(0o600);
});

/** The rows of a file as the command reads them. */
async function read(content: string | Buffer) {
  return newRows(await readList(csv(content, "in.csv"), []), { batch: "", allowDuplicates: false, send: false });
}

test.each<[string, string | Buffer, string?]>([
  ["UTF-16", Buffer.from("\ufeffmobile\tfirst-name\r\n61422345678\tZoë O’Connor\r\n", "utf16le")],
  ["UTF-16 without a byte order mark", Buffer.from("mobile\n61422345678\n", "utf16le"), ""],
  ["big-endian UTF-16 without one", Buffer.from("mobile\n61422345678\n", "utf16le").swap16(), ""],
  ["CSV with a line that names the separator", "\ufeffsep=;\r\nmobile;first-name\r\n61422345678;Zoë O’Connor\r\n"],
  ["CSV with a quoted line that names it", '"sep=|"\nmobile|first-name\n61422345678|Zoë O’Connor\n'],
  ["Windows-1252", Buffer.from("mobile,first-name\r\n61422345678,Zoë O\x92Connor\r\n", "latin1")],
  ["Macintosh CSV", Buffer.from("mobile,first-name\r61422345678,Zo\x91 O\xd5Connor\r", "latin1")],
  ["CSV with an empty column and a space after a heading", '"Mobile ",,First Name\n61422345678,,Zoë O’Connor\n'],
  ["CSV after an empty line", "\r\nmobile;first-name\r\n61422345678;Zoë O’Connor\r\n"],
])("a file that a spreadsheet saves as %s is read", async (_, content, firstName = "Zoë O’Connor") => {
  const [row] = await read(content);
  expect(row?.invitation.answers).toEqual({ mobile: "61422345678", ...(firstName && { firstName }) });
});

test("a row may hold several quotes, the highest of which counts, and a name with a comma", async () => {
  const content = '\ufeffmobile,first-name,quote\n61487654321,Ada,2450.00;1999.00\n61487654322,"Ng, Zoë",\n';
  const rows = (await read(content)).map((row) => row.invitation.answers);
  expect(rows).toEqual([
    { mobile: "61487654321", firstName: "Ada", invoiceAmount: "2450" },
    { mobile: "61487654322", firstName: "Ng, Zoë" },
  ]);
});

test("a second run issues only the missing links, also after rows were added", async () => {
  const file = csv(many(3));
  await issue(file);
  const first = readFileSync(out(), "utf8");
  appendFileSync(file, "61499999999,Late\n");
  expect((await issue(file)).out).toContain("1 link issued; 4 are in");
  expect(readFileSync(out(), "utf8").startsWith(first)).toBe(true);
  expect(await countCreated()).toBe(4);
  expect((await issue(file)).out).toContain("0 links issued; 4 are in");
});

/** Makes the third link of the output look as if the run had been killed between the file and the commit. */
async function uncommitThird(): Promise<void> {
  const { reference } = rowsIn(out())[2] ?? {};
  await sql(
    `WITH hidden AS (UPDATE applications SET mobile = '', "rowHash" = NULL WHERE reference = $1 RETURNING id)
     DELETE FROM link_tokens USING links l, hidden WHERE "linkId" = l.id AND l."applicationId" = hidden.id`,
    [reference],
  );
}

test("links written but never committed are removed and issued again", async () => {
  const file = csv(many(3));
  await issue(file);
  const original = readFileSync(out(), "utf8");
  await uncommitThird();
  truncateSync(out(), statSync(out()).size - 4);
  expect((await issue(file)).out).toContain("1 link issued; 3 are in");
  const rows = rowsIn(out());
  expect(rows).toHaveLength(3);
  expect(readFileSync(out(), "utf8").slice(0, 60)).toBe(original.slice(0, 60));
  for (const { link = "" } of rows)
    expect((await post(verify, { token: new URL(link).searchParams.get("token") })).status).toBe(200);
});

test("a file of links that lost its last line end is continued on a new line", async () => {
  const rows = many(3).trimEnd().split("\n");
  await issue(csv(`${rows.slice(0, 2).join("\n")}\n`));
  truncateSync(out(), statSync(out()).size - 2);
  expect((await issue(csv(`${rows.join("\n")}\n`))).out).toContain("; 3 are in");
  expect(rowsIn(out()).map(({ mobile }) => mobile)).toEqual(rows.slice(1).map((row) => row.split(",")[0]));
});

test("a list is the same one if a program has written its line breaks in another way, even those in cells", async () => {
  const list = 'mobile,property-address\n61498000001,"Unit 1\n12 High St"\n';
  expect((await issue(csv(list))).out).toContain("1 link issued");
  for (const lineBreak of ["\r\n", "\r"])
    expect((await issue(csv(list.replaceAll("\n", lineBreak)))).out).toContain("0 links issued");
});

test.each([
  ["that was cut off in a character", [0xc3]],
  ["with a character in Windows-1252", [0xeb]],
])("a list in UTF-8 %s is refused instead of read with wrong letters", async (_, bytes) => {
  const file = csv("mobile,first-name\n61498000002,Zoë\n61498000003,Ren");
  appendFileSync(file, Buffer.from(bytes));
  const cutOff = expect.stringContaining("is cut off or mixes two encodings: save it again as CSV in UTF-8.");
  expect(await invite("--csv", file)).toEqual(refused(cutOff));
});

test("links that were never committed are removed from the file, even if another run has issued links for the same rows since", async () => {
  const file = csv(many(3));
  await issue(file);
  await uncommitThird();
  const elsewhere = `${out()}.other`;
  expect((await invite("--csv", file, "--out", elsewhere)).out).toContain("1 link issued; 1 is in");
  await issue(file, "--preview");
  expect(rowsIn(out())).toHaveLength(3);
  expect((await issue(file)).out).toContain("0 links issued; 2 are in");
  expect(rowsIn(out())).toHaveLength(2);
});

test("a refused list removes no link from the file, which may belong to another database", async () => {
  const file = csv(many(2));
  await issue(file);
  const written = readFileSync(out(), "utf8");
  // Another database knows none of the file's links.
  await sql("TRUNCATE link_tokens");
  appendFileSync(file, "12,Bob\n");
  expect((await issue(file)).err).toContain("mobile must be");
  expect(readFileSync(out(), "utf8")).toBe(written);
});

test("a full disk loses no committed link, and the same command continues the list", async () => {
  const file = csv(many(700));
  const full = await shell(`ulimit -f 64; INVITE --csv ${file} --out ${out()}`);
  expect(full.code).toBe(1);
  expect(full.err).toMatch(/500 of 700 links are issued[\s\S]*cannot be written: it would exceed/);
  expect(await countCreated()).toBe(500);
  const committed = await sql("SELECT FROM applications WHERE reference = ANY ($1)", [referencesIn(out())]);
  expect(committed).toHaveLength(500);
  expect((await issue(file)).out).toContain("200 links issued; 700 are in");
  expect(new Set(rowsIn(out()).map((row) => row.mobile)).size).toBe(700);
  expect(await countCreated()).toBe(700);
});

test("no link is issued into a device, or into the file that is standard output, where it could be lost", async () => {
  const file = csv(many(20));
  const noFile = refused(expect.stringMatching(/^--out \S+ is not a file on a disk\. .*\n$/));
  expect(await invite("--csv", file, "--out", "/dev/null")).toEqual(noFile);
  expect(await shell(`INVITE --csv ${file} --out /dev/stdout > ${out()}`)).toEqual(noFile);
  expect(await countCreated()).toBe(0);
});

/** The references of a file that may end in the middle of a row. */
const referencesIn = (file: string) =>
  [...readFileSync(file, "utf8").matchAll(/,(\w{4}-\w{4}),/g)].map(([, reference]) => reference);

test("a link that could not be printed is not committed", async () => {
  const full = await shell(`INVITE --csv ${csv(many(3))} > /dev/full`);
  expect(full).toEqual(refused(`${notCommitted}\nThe output cannot be written: ENOSPC.\n`));
  // The pipe takes some of the links before its reader goes away.
  const closed = await shell(`INVITE --csv ${csv(many(800))} | head -1; exit \${PIPESTATUS[0]}`);
  expect(closed).toMatchObject({ code: 1, err: `${notCommitted}\n` });
  expect(await countCreated()).toBe(0);
});

test("a link that a full disk did not take is not committed", async () => {
  // Bash counts in kilobytes. Of the write that reaches the limit, the system takes a part.
  const full = await shell(`ulimit -f 32; INVITE --csv ${csv(many(400))} > ${out()}`);
  expect(full).toMatchObject({ code: 1, err: `${notCommitted}\nThe output cannot be written: EFBIG.\n` });
  expect(await countCreated()).toBe(0);
});

test("a printed link names its row, because a row that has an application gets none", async () => {
  const [headings, ann, bob, cy] = many(3).split("\n");
  await invite("--csv", csv(`${headings}\n${ann}\n`));
  const file = csv(`${headings}\n${ann}\n${bob}\n${cy}\n`);
  const json = (await invite("--csv", file, "--json", "--batch", "")).out.trim().split("\n");
  expect(json.map((line) => JSON.parse(line).row)).toEqual([3, 4]);
});

test("duplicates are named and refused, unless they are allowed", async () => {
  const file = csv("mobile\n61433333333\n0433 333 333\n61444444444\n");
  await invited({ mobile: "61444444444" });
  const { code, err } = await issue(file);
  expect(code).toBe(1);
  expect(err).toMatch(/row 3: mobile 61433333333 is also in row 2/);
  expect(err).toMatch(/row 4: mobile 61444444444 has an open application, \w{4}-\w{4}/);
  expect((await issue(file, "--allow-duplicates")).out).toContain("3 links issued");
});

test("a line break in a cell becomes a space, and --source-ok accepts another source", async () => {
  const file = csv('mobile,source,property-address\n61412345670,be,"12 High St\n  Byron Bay"\n');
  const result = await issue(file, "--source-ok");
  expect([result.code, result.out]).toEqual([0, `1 link issued; 1 is in ${out()}.\n`]);
  expect(await sql(`SELECT source, "propertyAddress" FROM applications WHERE mobile = '61412345670'`)).toEqual([
    { source: "be", propertyAddress: "12 High St Byron Bay" },
  ]);
});

test("all invalid rows are shown with their values, whatever the list is called", async () => {
  const file = csv(`mobile\n${"12\n".repeat(2_000)}`, "terminated-leases.csv");
  const { code, err } = await issue(file);
  expect(code).toBe(1);
  expect(err.trim().split("\n")).toHaveLength(2_001);
  expect(err).toMatch(/^\S+terminated-leases\.csv, row 2: mobile must be a phone number.*: '12'\n/);
  expect(err).toContain("\nNothing was created.\n");
  expect(await countCreated()).toBe(0);
});

test.each([
  ["mobile,nickname,Hat size\n61412345678,Ada,7\n", "unknown column 'nickname', 'Hat size'"],
  // Rows are numbered as in a spreadsheet: an empty row counts, and a cell of two lines adds none.
  ['mobile,first-name\n\n61412345678,"Ada\nAugusta"\n\n12,Grace\n', "row 5: mobile must be a phone number"],
  ["mobile,Phone\n61412345678,61412345678\n", "has the column mobile twice: 'mobile', 'Phone'."],
  ["mobile,\n61412345678,Ada\n", "row 2: a cell has no heading above it"],
  ["mobile,,first-name\n61412345678,7,Ada\n", "row 2: a cell has no heading above it"],
  ["mobile,email\n61412345678,ada\n", "row 2: email is not an email address"],
  ["mobile,source\n61412345678,be\n", "row 2: source be is not one of ba, ia; --source-ok accepts it"],
  ["mobile\n0412 345 67\n", "row 2: mobile must be a phone number"],
  // A line that names the separator does not count as a row.
  ["sep=;\nmobile\n12\n", "row 2: mobile must be"],
  ["PK\u0003\u0004", "is a workbook"],
  // The older format, .xls.
  [Buffer.from("d0cf11e0a1b11ae1", "hex"), "is a workbook"],
  ["mobile\n", "has no rows"],
])("%j is refused: %s", async (content, message) => {
  await expect(read(content)).rejects.toThrow(message);
});

test("a list of more than 1,000 columns is refused", async () => {
  await expect(read(`mobile${",x".repeat(1000)}\n`)).rejects.toThrow(
    "has 1001 columns, but a list can have 1000 at most",
  );
});

test.each([
  ["a quote that something follows", 'mobile,property-address\n0412345678,"1 A\nB"\n0412345679,"2 A"x\n', 3],
  ["a quote that is never closed", 'mobile,property-address\n0412345678,"1 A\n0412345679,2 A\n', 2],
])("%s is named with its file and its row", async (_, content, row) => {
  const file = csv(content);
  const unclosed = `${file}, row ${row}: a quotation mark (") is unclosed or misplaced.\n`;
  expect(await invite("--csv", file)).toEqual(refused(unclosed));
});

test("a first heading that begins with PK, as a workbook does, is read", async () => {
  const [row] = await readList(csv("PKEY,mobile\n7,0412345678\n"), ["PKEY"]).then(({ rows }) => rows);
  expect(row?.cells).toEqual(["7", "0412345678"]);
});

test("a list may have rows with several kinds of line ends, as after one was added by hand", async () => {
  const file = csv("mobile,first-name\r\n0412345678,Ada\n0412345679\r0412345670,Cy");
  expect((await readList(file, [])).rows.map(({ row, cells }) => [row, ...cells])).toEqual([
    [2, "0412345678", "Ada"],
    [3, "0412345679", ""],
    [4, "0412345670", "Cy"],
  ]);
});

test("a column to carry that the file lacks is refused before any link is issued", async () => {
  const result = await issue(csv("mobile\n0412345678\n"), "--carry", "Customer no");
  expect(result).toMatchObject({ code: 1, err: `${path("in.csv")} has no column 'Customer no' to carry.\n` });
});

test("a preview checks and counts the rows, and creates nothing", async () => {
  const file = csv(many(3));
  expect(await invite("--csv", file, "--preview")).toEqual({
    code: 0,
    out: "",
    err: expect.stringMatching(/^First row: 614\d+, .+\.\nLinks to issue: 3\.\nNothing was created\.\n$/),
  });
  expect(await invite("--csv", csv("mobile\n12\n"), "--preview")).toMatchObject({ code: 1, out: "" });
  expect((await invite("--mobile", "61412345678", "--preview", "--json")).out).toBe("");
  expect(await countCreated()).toBe(0);
});

test("a file that something else wrote is not continued", async () => {
  writeFileSync(out(), "reference,link\n");
  const { code, err } = await issue(csv(many(1)));
  expect([code, readFileSync(out(), "utf8")]).toEqual([1, "reference,link\n"]);
  expect(err).toContain("does not begin with the columns of this input");
});

test("invitations are read from standard input, which the process list does not show", async () => {
  const single = await shell("INVITE - --json", '{"mobile":"0455 555 555","first-name":"Ada","quote":"2,450.00"}');
  expect(JSON.parse(single.out)).toMatchObject({ reference: expect.any(String), link: expect.any(String) });
  const inviteWith = (input: string | Buffer, ...args: string[]) => {
    const stdin = Readable.from([input]) as typeof process.stdin;
    const spy = jest.spyOn(process, "stdin", "get").mockReturnValue(stdin);
    return invite(...args).finally(() => spy.mockRestore());
  };
  const table = await inviteWith("mobile\n61466666666\n61477777777\n", "--csv", "-", "--json");
  expect(table.out.trim().split("\n")).toHaveLength(2);
  const notJson = refused("Standard input is not a JSON object in UTF-8.\n");
  const latin1 = Buffer.from('{"mobile":"0412999001","first-name":"Jos\xe9"}', "latin1");
  for (const input of ["mobile=1", latin1]) expect(await inviteWith(input, "-")).toEqual(notJson);
  expect((await inviteWith('{"mobile":61412345678}', "-")).err).toMatch(/\nmobile must be a string\n$/);
});
