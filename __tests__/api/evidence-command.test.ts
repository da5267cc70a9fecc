import { execFile, spawnSync } from "node:child_process";
import { chownSync, copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { callCommand } from "@/__tests__/support/call-command";
import { freshDatabase } from "@/__tests__/support/database";
import { append, evidenceKeys, submittedWithLeaf } from "@/__tests__/support/evidence";
import { newDevice, startBrowser } from "@/__tests__/support/processes/browser";
import { refused, runCommand } from "@/__tests__/support/run-command";
import { reportFigure } from "@/__tests__/support/size";
import { submitted } from "@/__tests__/support/submitted";
import { temporaryFolder } from "@/__tests__/support/temporary-folder";
import { eraseApplication } from "@/lib/server/applications/erase";
import { prisma } from "@/lib/server/db/client";
import { evidenceOf, evidenceReceipt } from "@/lib/server/evidence/receipt";
import { currentSettings } from "@/lib/server/settings";

jest.setTimeout(180_000);

const { sql, untilWaiting, tamper, operationsUrl } = freshDatabase();
const keys = evidenceKeys();
const folder = temporaryFolder();
const evidence = (args: string[], env: Record<string, string> = {}) =>
  callCommand("evidence", args, { DATABASE_URL: operationsUrl, ...env });

const read = (file: string) => JSON.parse(readFileSync(file, "utf8"));
/** A program that ended with this code, and whose output has this text. */
const printed = (code: number, text: string) => ({ code, out: expect.stringContaining(text) });
const saved = (name: string, content: unknown) => {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(content));
  return file;
};

/** Runs a program as an arbiter does: with Node alone, in the folder of the export. */
function withNode(...args: string[]): Promise<{ code: number; out: string }> {
  const place = { cwd: join(folder, "log"), env: { NODE_ENV: "test" } as const };
  return new Promise((resolve) =>
    execFile(process.execPath, args, place, (error, out) => resolve({ code: Number(error?.code ?? 0), out })),
  );
}
const inNode = (...files: string[]) => withNode("evidence-verify.mjs", ...files);

let id: string;
let reference: string;
let receipt: string;
let mailed: string;
let forged: string;

beforeAll(async () => {
  keys.signWith(keys.make().file);
  ({ id, reference } = await submittedWithLeaf());
  mailed = saved("mailed.json", await evidenceOf(prisma(), id));
  await submittedWithLeaf();
  receipt = saved("receipt.json", await evidenceReceipt(prisma(), id));
  const kept = read(receipt);
  forged = saved("forged.json", { ...kept, record: { ...kept.record, confirmLoan: false } });
  expect(await evidence(["export", join(folder, "log")])).toMatchObject({ code: 0, err: "" });
});

test("key creates a key that only its user can read, and replaces no existing one", async () => {
  const file = join(folder, "key.json");
  const env = { EVIDENCE_KEY_FILE: file };
  const { code, out } = await evidence(["key"], env);
  expect([code, statSync(file).mode & 0o777]).toEqual([0, 0o600]);
  expect(out).toBe(
    `Wrote ${file}: public key ${read(file).entry.key}. Restart the processes that append to the log, and keep a copy of the file elsewhere.\n`,
  );
  const exists = `${file} already exists. Use --rotate to replace it with a new key.\n`;
  expect(await evidence(["key"], env)).toEqual(refused(exists));
  const unset = "EVIDENCE_KEY_FILE is not set: it names the file to write.\n";
  expect(await evidence(["key"], { EVIDENCE_KEY_FILE: "" })).toEqual(refused(unset));
});

test.each([
  ["key", "nowhere/key.json", "its folder does not exist"],
  ["key", "mailed.json/key.json", "a part of its path is a file"],
  ["export", "mailed.json", "it already exists"],
  ["export", "mailed.json/log", "a part of its path is a file"],
])("%s says why it cannot write %s", async (command, name, reason) => {
  const file = join(folder, name);
  const args = command === "export" ? [command, file] : [command];
  const err = `The file ${file} cannot be written: ${reason}.\n`;
  expect(await evidence(args, { EVIDENCE_KEY_FILE: file })).toEqual(refused(err));
});

test.each([
  ["{}", "is not a key file created by 'npm run evidence -- key'"],
  ["", "is not a key file created by 'npm run evidence -- key'"],
  [null, "cannot be read: ENOENT"],
])("key --rotate refuses a key file of %j", async (text, why) => {
  const file = join(folder, `no-key-${text}.json`);
  if (text !== null) writeFileSync(file, text);
  const rotated = await evidence(["key", "--rotate"], { EVIDENCE_KEY_FILE: file });
  expect(rotated).toEqual(refused(`EVIDENCE_KEY_FILE ${file} ${why}.\n`));
});

test("export leaves no file that is cut off", () => {
  const target = join(folder, "limited");
  const command = `ulimit -f 8; exec "$0" --conditions=react-server --require tsx/cjs lib/cli/evidence/evidence.ts export "$1"`;
  const env = { ...process.env, DATABASE_URL: operationsUrl };
  const { status, stderr } = spawnSync("bash", ["-c", command, process.execPath, target], { encoding: "utf8", env });
  const file = join(target, "evidence-verify.mjs");
  const err = `The file ${file} cannot be written: it would exceed this user's limit for files.\n`;
  expect([status, stderr]).toEqual([1, err]);
  expect(readdirSync(target)).toEqual(["evidence-log.json"]);
});

/** Copies the key that signs the log to another file. */
function copyOfKey(name: string) {
  const file = join(folder, name);
  copyFileSync(currentSettings().EVIDENCE_KEY_FILE ?? "", file);
  return { file, entry: read(file).entry };
}

const replaced = (file: string) =>
  refused(
    `The key in ${file} is not the log's current key. Restart the worker after each rotation, before the next one.\n`,
  );

test("key --rotate has the log's key sign the next one, which cannot be rotated before it is in the log", async () => {
  const { file, entry } = copyOfKey("rotated.json");
  const rotate = () => evidence(["key", "--rotate"], { EVIDENCE_KEY_FILE: file });
  // Root may rotate a key that another user's processes read.
  if (process.getuid?.() === 0) chownSync(file, 1000, 1000);
  const { uid } = statSync(file);
  // A rotation that is killed leaves this file behind.
  writeFileSync(`${file}.new`, "{}");
  expect(await rotate()).toMatchObject({ code: 0, err: "" });
  expect(statSync(file)).toMatchObject({ uid, mode: 0o100600 });
  const next = readFileSync(file, "utf8");
  expect(JSON.parse(next).entry).toMatchObject({ previous: entry.key, signature: expect.any(String) });
  expect(await rotate()).toEqual(replaced(file));
  expect(readFileSync(file, "utf8")).toBe(next);
});

test("the second of two simultaneous rotations is refused, and the key that the first has written stays", async () => {
  const { file, entry } = copyOfKey("twice.json");
  const env = { DATABASE_URL: operationsUrl, EVIDENCE_KEY_FILE: file };
  await sql("BEGIN");
  await sql("LOCK TABLE evidence_log");
  const args = ["key", "--rotate"];
  const both = [runCommand("evidence", args, env), evidence(args, env)];
  await untilWaiting(2);
  await sql("COMMIT");
  const [done, second] = (await Promise.all(both)).toSorted((a, b) => a.code - b.code);
  expect(second).toEqual(replaced(file));
  const next = read(file).entry;
  expect(next.previous).toBe(entry.key);
  expect(done?.out).toContain(`public key ${next.key}.`);
});

test("verify reports what it recomputed and, without a copy kept elsewhere, what it cannot detect", async () => {
  const { code, out } = await evidence(["verify"]);
  expect(code).toBe(0);
  expect(out).toMatch(/^3 leaves, root [0-9a-f]{64}, signed with \S{44}; 1 key\.\n/);
  expect(out).toContain("No copy kept elsewhere was given (--against). Without one, this cannot detect that someone");
});

test.each(["null", "{}", "[]", "nonsense", '{"leaves":[],"leaf":{},"head":{}}'])(
  "verify --against refuses a file of %s",
  async (text) => {
    const file = join(folder, "other.json");
    writeFileSync(file, text);
    const err = expect.stringMatching(/^The file \S+other\.json cannot be read: .+\n$/);
    expect(await evidence(["verify", "--against", file])).toEqual(refused(err));
  },
);

test("verify --against compares the log with receipts, the evidence of an email, a head and an older export", async () => {
  const head = saved("head.json", read(receipt).head);
  const files = [receipt, mailed, head, join(folder, "log/evidence-log.json")];
  const { code, out } = await evidence(["verify", "--against", ...files]);
  const agreement = "The log agrees with receipt.json, mailed.json, head.json, evidence-log.json.";
  expect([code, out.split("\n").at(-2)]).toEqual([0, agreement]);
  const differs = printed(1, "forged.json: the record does not match its leaf\n");
  expect(await evidence(["verify", "--against", forged])).toMatchObject(differs);
});

test("a changed record, leaf or head is named", async () => {
  const { leaves } = read(join(folder, "log/evidence-log.json"));
  const change = async (confirmLoan: boolean, hash: string) => {
    const record = `UPDATE consent_records SET "confirmLoan" = $2 WHERE "applicationId" = $1`;
    await tamper(record, id, confirmLoan);
    await tamper("UPDATE evidence_log SET hash = $1 WHERE index = 2", hash);
  };
  await change(false, "0".repeat(64));
  const { code, out } = await evidence(["verify"]);
  await change(true, leaves[2]);
  expect(code).toBe(1);
  for (const problem of [
    `leaf 1 is not that of ${reference} (submitted)`,
    "the head of 3 leaves has another root",
    `${reference}: the boxes are not those that were ticked`,
  ])
    expect(out).toContain(`${problem}\n`);
  expect((await evidence(["verify"])).code).toBe(0);
});

test("evidence-verify.mjs checks a receipt offline in Node, alone and against the log or a later receipt", async () => {
  const alone = await inNode(receipt);
  expect(alone.code).toBe(3);
  expect(alone.out).toMatch(/^Nothing disagrees, but not everything could be checked\.\n/);
  expect(alone.out).toContain(`the consent of ${reference} at `);
  expect(alone.out).toContain("There is no other file to compare with");
  expect((await inNode(receipt, receipt)).code).toBe(3);
  expect(await inNode(receipt, "evidence-log.json")).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Everything agrees\.\n(.+\n)+.+ they agree\.\n$/),
  });
  expect(await inNode(mailed, receipt)).toEqual(printed(0, "they agree."));
  const { head } = read(receipt);
  const withInvented = (index: number) =>
    inNode(saved("invented.json", { leaf: { index, hash: "0".repeat(64) }, head }), receipt);
  expect(await withInvented(head.size)).toEqual(printed(1, "is not in the log"));
  const incomplete = printed(3, "only an export shows whether both leaves are in the log");
  expect(await withInvented(head.size - 1)).toEqual(incomplete);
  expect(await inNode(forged, "evidence-log.json")).toEqual(printed(1, "the record does not match"));
  expect((await inNode("nothing.json")).code).toBe(2);
});

test("a verifier that a browser has renamed works as well", async () => {
  copyFileSync(join(folder, "log/evidence-verify.mjs"), join(folder, "log/evidence-verify (1).mjs"));
  const { out } = await withNode("evidence-verify (1).mjs", receipt, "evidence-log.json");
  expect(out).toMatch(/^Everything agrees\./);
});

test("evidence-verify.html gives the same result in a browser, opened from a disk, without requests", async () => {
  const browser = await startBrowser();
  try {
    const page = await (await newDevice(browser)).newPage();
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    await page.goto(`file://${join(folder, "log/evidence-verify.html")}`);
    const log = join(folder, "log/evidence-log.json");
    const resultOf = async (...files: string[]) => {
      await page.getByLabel("Choose the receipt").setInputFiles(files);
      await page.locator("output").filter({ hasText: /agree/ }).waitFor();
      return (await page.locator("output").textContent())?.split("\n") ?? [];
    };
    const shown = await resultOf(log, receipt);
    expect(shown[0]).toBe("Everything agrees.");
    const printed = (await inNode(receipt, "evidence-log.json")).out.replaceAll(`${folder}/`, "").trim().split("\n");
    expect(shown).toEqual(printed);
    await page.reload();
    const refused = await resultOf(forged, log);
    expect(refused.slice(0, 2)).toEqual([
      "Something does not agree.",
      "forged.json: the record does not match its leaf.",
    ]);
    expect(requests.filter((url) => !url.startsWith("file://") && !url.startsWith("blob:"))).toEqual([]);
    reportFigure(
      69,
      `a receipt verified offline by evidence-verify.mjs in Node ${process.versions.node} and in ${browser.browserType().name()} ${browser.version()}, a forged one refused by both, no request made`,
    );
  } finally {
    await browser.close();
  }
});

test("verify reports a single leaf in the singular", async () => {
  await eraseApplication(reference, "Ines");
  keys.signWith(undefined);
  await append();
  const { out } = await evidence(["verify"]);
  expect(out).toContain("Erased: the answers, or any reason, of 1 leaf. Of these, only a hash remains.\n");
  expect(out).toContain("No signed head covers the last leaf.\n1 head is not signed.\n");
});

test("verify finds that the consents of two erased people were exchanged", async () => {
  const people = [await submitted(), await submitted()];
  await append();
  for (const { reference } of people) await eraseApplication(reference, "Vera");
  await append();
  expect(await evidence(["verify"])).toMatchObject({ code: 0 });
  const [one, two] = people.map(({ id }) => `"applicationId" = '${id}'`);
  const exchange = () =>
    tamper(`
    UPDATE consent_records AS c SET "recordHash" = o."recordHash" FROM consent_records AS o
    WHERE c.${one} AND o.${two} OR c.${two} AND o.${one};
    UPDATE evidence_log AS l SET "eventId" = -o.id FROM events AS e, events AS o
    WHERE l."eventId" = e.id AND e.kind = 'submitted' AND o.kind = 'submitted' AND (e.${one} AND o.${two} OR e.${two} AND o.${one});
    UPDATE evidence_log SET "eventId" = -"eventId" WHERE "eventId" < 0`);
  await exchange();
  const { code, out } = await evidence(["verify"]);
  await exchange();
  expect(code).toBe(1);
  for (const { reference } of people) expect(out).toContain(`is not that of ${reference} (submitted)\n`);
});

test("verify cannot check what an erasure removed until the erasure has a leaf", async () => {
  const gone = await submittedWithLeaf();
  await eraseApplication(gone.reference, "Vera");
  const unchecked = printed(3, "1 leaf cannot be checked until an erasure has its leaf.\n");
  expect(await evidence(["verify"])).toMatchObject(unchecked);
  await append();
  expect(await evidence(["verify"])).toMatchObject({ code: 0, out: expect.not.stringContaining("cannot be checked") });
});

test("verify counts the events without a leaf", async () => {
  await submitted();
  expect(await evidence(["verify"])).toMatchObject(printed(0, "\n1 event waits for a leaf.\n"));
});
