import { execFile, spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { callCommand } from "@/__tests__/support/call-command";
import { verify } from "@/__tests__/support/calls";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { post } from "@/__tests__/support/post";
import { commandFile, program } from "@/__tests__/support/program";
import { unreachableProviders } from "@/__tests__/support/providers";
import { refused } from "@/__tests__/support/run-command";
import { setStatus } from "@/__tests__/support/set-status";
import { filledIn, fillInAndSubmit, submitted } from "@/__tests__/support/submitted";
import { temporaryFolder } from "@/__tests__/support/temporary-folder";
import { notCommitted } from "@/lib/cli/shared/output";
import { revokeLinks } from "@/lib/server/invitations/links";

const { sql, countRows, operationsUrl } = freshDatabase();
const env = { DATABASE_URL: operationsUrl, APP_URL: "https://a.example" };
const run = (name: string, ...args: string[]) => callCommand(name, args, env);

test("invite prints one line of JSON whose link opens the invited values and the highest quote", async () => {
  const knownValues = "--mobile 61412345678 --agent-mobile 61298765432 --first-name Ada --last-name Byron --source ia";
  const line = `--json --by Ines ${knownValues} --quote 1999.00 --quote 2450,00`;
  const { code, out, err } = await run("invite", ...line.split(" "));
  expect([code, out.trim().split("\n").length, err]).toEqual([0, 1, ""]);
  const { reference, link, token, expiresAt, ...others } = JSON.parse(out);
  expect(others).toEqual({});
  expect(link).toBe(`https://a.example/?token=${token}&source=ia`);
  expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(29 * 86_400_000);
  const { data } = (await post(verify, { token })).body;
  const opened = { firstName: "Ada", mobile: "61412345678", invoiceAmount: "2450", source: "ia" };
  expect(data).toMatchObject({ reference, ...opened });
  expect(await sql(`SELECT by FROM events WHERE kind = 'link_issued'`)).toEqual([{ by: "Ines" }]);
});

const cache = temporaryFolder();
test("npm keeps no log of a command, which would contain its arguments", () => {
  const env = { ...process.env, npm_config_cache: cache };
  const { status } = spawnSync("npm", ["run", "--silent", "invite", "--", "--first-name", "Ada", "--help"], { env });
  const logs = join(cache, "_logs");
  expect([status, existsSync(logs) ? readdirSync(logs) : []]).toEqual([0, []]);
});

test("invite says last what is wrong, and creates nothing", async () => {
  const before = await countRows("applications");
  const err = expect.stringMatching(
    /^Issues links[\s\S]*\n\nmobile must be a phone number.*; email is not an email address\.?\n$/,
  );
  expect(await run("invite", "--mobile", "6141234", "--email", "ada")).toEqual(refused(err, 2));
  expect(await countRows("applications")).toBe(before);
});

test("invite --send refuses an SMS that is too long to be sent, and creates nothing", async () => {
  const before = await countRows("applications");
  const longUrl = { ...env, ...unreachableProviders, SMTP_URL: "", APP_URL: `https://${"a.".repeat(120)}example` };
  const err = "An SMS would take 3 segments, but at most 2 are sent: shorten BRAND_LEGAL_NAME or APP_URL.\n";
  expect(await callCommand("invite", ["--mobile", "61412345698", "--send"], longUrl)).toEqual(refused(err));
  expect(await countRows("applications")).toBe(before);
});

test("a single invitation is printed as three lines", async () => {
  const { out } = await run("invite", "--mobile", "61412345699");
  expect(out).toMatch(/^Reference {4}\S+\nLink {9}https:\S+\nValid until {2}[^\n]+\n$/);
});

test("links are reissued and revoked, and the person is erased; --by is recorded, or else the login name", async () => {
  const { token, reference, id } = await filledIn();
  const typed = reference.toLowerCase().replace("-", "");
  const again = JSON.parse((await run("links", "reissue", typed, "--json", "--by", "Rui")).out);
  expect((await post(verify, { token })).status).toBe(401);
  expect((await post(verify, { token: again.token })).body.data).toMatchObject({ reference, savedSteps: [1, 2, 3] });
  expect(await run("links", "revoke", reference, "--by", "Vera")).toMatchObject({ code: 0, out: "1 link revoked.\n" });
  expect(await run("links", "revoke", reference)).toMatchObject({ code: 0, out: "0 links revoked.\n" });
  expect((await post(verify, { token: again.token })).status).toBe(401);
  expect(await run("links", "revoke", "AAAA-AAAA")).toMatchObject({ code: 1 });
  await run("person", "erase", reference);
  expect(await sql(`SELECT kind, by FROM events WHERE "applicationId" = $1 AND by <> '' ORDER BY id`, [id])).toEqual([
    { kind: "link_revoked", by: "Rui" },
    { kind: "link_reissued", by: "Rui" },
    { kind: "link_revoked", by: "Vera" },
    { kind: "erased", by: userInfo().username },
  ]);
});

test("a reissued link, a corrected contact or an API key that cannot be printed is not committed", async () => {
  const { token, reference } = await invited({ mobile: "61400111333", email: "ada@landlord.example" });
  const shell = promisify(execFile);
  const inShell = async (name: string, ...args: string[]) => {
    const line = [process.execPath, ...program(commandFile(name), ...args)].join(" ");
    const options = { env: { ...process.env, ...env } };
    return shell("bash", ["-c", `${line} > /dev/full`], options).catch(({ code, stderr }) => ({ code, stderr }));
  };
  const before = await countRows("events");
  const failed = { code: 1, stderr: `${notCommitted}\nThe output cannot be written: ENOSPC.\n` };
  expect(await inShell("links", "reissue", reference)).toEqual(failed);
  expect(await inShell("applications", "contact", reference, "--email", "grace@landlord.example")).toEqual(failed);
  expect(await inShell("keys", "create", "--name", "crm")).toEqual(failed);
  expect((await post(verify, { token })).status).toBe(200);
  const [kept] = await sql(`SELECT "invitedEmail" FROM applications WHERE reference = $1`, [reference]);
  expect(kept).toEqual({ invitedEmail: "ada@landlord.example" });
  // The verification has recorded the first opening.
  expect([(await countRows("events")) - before, await countRows("api_keys")]).toEqual([1, 0]);
  expect(await countRows("data_reads WHERE command = 'keys create'")).toBe(0);
});

test("the status command says what the applicant sees, and a decision can be taken back", async () => {
  const { reference } = await submitted();
  expect((await run("status", reference, "draft")).code).toBe(2);
  const approved = await run("status", reference, "approved", "--by", "Ines", "--reason", " Rent is proven ");
  expect(approved.out).toContain(`${reference} is now approved; it was submitted.`);
  expect(approved.out).toMatch(
    /From now until \d{4}-\d\d-\d\d \d\d:\d\d AE[DS]T the applicant's link shows 'Your application is approved'/,
  );
  expect((await run("status", reference, "approved")).out).toContain("nothing has changed");
  await revokeLinks(reference, "Ines");
  const back = await run("status", reference, "in-review", "--by", "Rui");
  expect(back.out).toContain(`npm run links -- reissue ${reference}`);
  expect(await sql(`SELECT detail, by, reason FROM events WHERE kind = 'status_changed' ORDER BY id`)).toEqual([
    { detail: "approved", by: "Ines", reason: "Rent is proven" },
    { detail: "in-review (was approved)", by: "Rui", reason: "" },
  ]);
});

test("after an erasure, a link is reissued only if there is something that it can open", async () => {
  const { reference, id } = await submitted();
  await run("person", "erase", reference);
  const err = `${reference} was erased after its submission, so a link would show nothing.\n`;
  expect(await run("links", "reissue", reference)).toEqual(refused(err));
  expect(await sql(`SELECT FROM links WHERE "applicationId" = $1 AND "revokedAt" IS NULL`, [id])).toEqual([]);
  expect((await run("status", reference, "approved")).out).not.toContain("reissue");

  const draft = await invited();
  await run("person", "erase", draft.reference);
  const { token } = JSON.parse((await run("links", "reissue", draft.reference, "--json")).out);
  await fillInAndSubmit(token);
  expect(await run("links", "reissue", draft.reference)).toMatchObject({ code: 0 });
});

test.each([
  ["invite", [], "--mobile, - or --csv is needed."],
  ["keys", ["revoke", "crm", "--scope", "read"], "--scope cannot be used with revoke."],
  ["keys", ["list", "--name", "crm"], "--name cannot be used with list."],
  ["keys", ["constructor", "--json"], "--json cannot be used with constructor."],
  ["applications", ["constructor"], "Choose list, find, show, note, take, release, contact."],
  ["links", ["revoke", "AAAA-AAAA", "--send"], "--send cannot be used with revoke."],
  ["links", ["revoke", "AAAA-AAAA", "--expires-days", "5"], "--expires-days cannot be used with revoke."],
  ["links", ["reissue", "--batch", "a", "--unopened", "--preview", "--json"], "--json cannot be used with --batch."],
  ["suppressions", ["remove", "a@b.example", "--reason", "a call"], "--reason cannot be used with remove."],
  ["evidence", ["export", "log", "--against", "a.json"], "--against cannot be used with export."],
  ["evidence", ["verify", "--rotate"], "--rotate cannot be used with verify."],
  ["invite", ["--mobile", "0412345678", "--carry", "Name"], "--carry and --source-ok require --csv."],
  ["invite", ["--csv", "a.csv", "--out", "b.csv", "--json"], "--json cannot be used with --out."],
  ["invite", ["--mobile", "0412345678", "--batch", "a".repeat(81)], "--batch must be 80 characters or fewer."],
  ["invite", ["--mobile", "0412345678", "--batch", "May\u202e"], "--batch contains characters that cannot be saved."],
  ["applications", ["list", "--csv", "--json"], "--csv and --json cannot be used together."],
  ["applications", ["list", "--step", "5"], "--step must be one of 1, 2, 3, 4."],
  ["applications", ["list", "--documents", "both"], "--documents must be one of agent, self."],
  ["applications", ["list", "--opened", "--unopened"], "--opened and --unopened cannot be used together."],
  ["applications", ["find", "Ada", "--duplicate"], "--duplicate cannot be used with find."],
  ["applications", ["show", "K7QM-4XRT", "--send"], "--send cannot be used with show."],
  ["applications", ["note", "K7QM-4XRT"], "Wrong number of arguments for note."],
  ["messages", ["list", "--channel", "post"], "--channel must be one of email, sms, webhook."],
  ["messages", ["retry", "9001", "--channel", "sms"], "--channel and --since require --state."],
  [
    "messages",
    ["retry", "--channel", "webhook", "--since", "today", "--type", "link.closed"],
    "--type must be one of application.submitted, application.status_changed, link.opened.",
  ],
  [
    "messages",
    ["retry", "--state", "failed", "--preview"],
    "--type and --preview require --channel webhook and --since, without --state.",
  ],
  ["messages", ["list", "--due", "--since", "today"], "Give either --since or --due."],
  ["messages", ["cancel", "9001", "--since", "today"], "--since cannot be used with cancel."],
  ["messages", ["retry", "1e3"], "Give the number of a message, as 'list' shows it."],
  ["messages", ["retry", "0x10"], "Give the number of a message, as 'list' shows it."],
  ["messages", ["cancel", ""], "Give the number of a message, as 'list' shows it."],
  ["messages", ["cancel"], "Give the numbers of messages."],
  ["messages", ["retry"], "Give the numbers of messages, or --state, or --channel webhook and --since."],
  [
    "messages",
    ["retry", "9001", "--state", "failed"],
    "Give the numbers of messages, or --state, or --channel webhook and --since.",
  ],
  [
    "export",
    ["--status", "gone"],
    "--status must be one of draft, submitted, in-review, approved, declined, withdrawn, paid.",
  ],
  ["export", ["--since", "never"], "--since never is neither 'today' nor a day such as 2026-03-01."],
  ["person", [], "One action and one reference are needed."],
  ["person", ["export"], "One action and one reference are needed."],
  ["person", ["forget", "K7QM-4XRT"], "One action and one reference are needed."],
  ["person", ["erase", "K7QM-4XRT", "--html", "x"], "--html cannot be used with erase."],
  ["person", ["export", "K7QM-4XRT", "--yes"], "--yes cannot be used with export."],
  ["consent", [], "Choose verify, with at most one reference."],
  ["consent", ["check"], "Choose verify, with at most one reference."],
  ["consent", ["verify", "A", "B"], "Choose verify, with at most one reference."],
  ["evidence", [], "Choose key, verify or export FOLDER."],
  ["evidence", ["check"], "Choose key, verify or export FOLDER."],
  ["evidence", ["export"], "Choose key, verify or export FOLDER."],
  ["evidence", ["verify", "receipt.json"], "Choose key, verify or export FOLDER."],
  ["evidence", ["key", "x"], "Choose key, verify or export FOLDER."],
  ["migrate-new", ["Not/A Name"], "The name must consist of lower-case letters, digits, - and _."],
])("npm run %s -- %j is refused: %s", async (name, args, message) => {
  expect(await run(name, ...args)).toEqual(refused(expect.stringContaining(`\n\n${message}\n`), 2));
});

test("retention --preview names what it would erase, and erases nothing", async () => {
  const old = [await invited({ firstName: "Old" }), await invited({ firstName: "Older" })];
  const age = (reference = "", months = 0) =>
    sql(`UPDATE applications SET "updatedAt" = now() - $2::interval WHERE reference = $1`, [
      reference,
      `${months} months`,
    ]);
  await age(old[0]?.reference, 30);
  await age(old[1]?.reference, 40);
  const { code, out } = await run("retention", "--months", "26", "--preview");
  expect(code).toBe(0);
  expect(out).toMatch(
    /^2 applications with the status 'draft', unchanged for 26 months\.\n {2}The oldest last changed at \d/,
  );
  expect(out).toContain(`  ${old[1]?.reference} ${old[0]?.reference}\nNothing was erased.\n`);
  expect(await countRows("applications WHERE \"firstName\" IN ('Old', 'Older')")).toBe(2);
});

test("links revoke --batch revokes every link of the batch and no other", async () => {
  const batch = ["--batch", "leaked", "--mobile"];
  const made = [];
  for (const n of [1, 2]) made.push(JSON.parse((await run("invite", "--json", ...batch, `6149900000${n}`)).out));
  const other = await invited();
  expect(await run("links", "revoke", "--batch", "leaked", "--preview")).toMatchObject({
    code: 0,
    out: "To revoke: 2 links of 2 applications in the batch 'leaked'.\nNothing was changed.\n",
  });
  expect((await post(verify, { token: made[0].token })).status).toBe(200);
  expect(await run("links", "revoke", "--batch", "leaked", "--by", "Lea")).toMatchObject({ out: "2 links revoked.\n" });
  for (const { token } of made) expect((await post(verify, { token })).status).toBe(401);
  expect((await post(verify, { token: other.token })).status).toBe(200);
  expect(await countRows("events WHERE kind = 'link_revoked' AND by = 'Lea'")).toBe(2);
  expect(await run("links", "revoke", "--batch", "unknown")).toMatchObject({ code: 1 });
});

test("suppressions list and the list of applications say who is stopped and why", async () => {
  const { reference } = await invited({ email: "Stopped@landlord.example", mobile: "61499000011" });
  await run("suppressions", "add", "stopped@landlord.example", "--reason", "asked us", "--by", "Vera");
  await run("suppressions", "add", "61499000012", "--by", "Rui");
  const rows = (await run("suppressions", "list", "--no-heading")).out.trim().split("\n");
  expect(rows).toEqual([
    expect.stringMatching(/^\S+ \S+ \S+\tsms\t\tRui\t$/),
    expect.stringMatching(new RegExp(`\temail\tasked us\tVera\t${reference}$`)),
  ]);
  await sql("UPDATE suppressions SET by = 'the mail system' WHERE by = 'Vera'");
  const marks = async () => JSON.parse((await run("applications", "find", reference, "--json")).out)[0].marks;
  expect(await marks()).toEqual(["bounced"]);
  await sql("UPDATE suppressions SET by = 'Vera' WHERE by = 'the mail system'");
  await run("person", "erase", reference, "--preview");
  expect(await marks()).toEqual(["opted out"]);
  await run("person", "erase", reference);
  expect(await marks()).toEqual(["erased"]);
});

test("retention applies the setting of each status, and needs a setting or a flag", async () => {
  const { id, reference } = await submitted();
  await setStatus(reference, "declined", { by: "" });
  await sql(`UPDATE applications SET "updatedAt" = now() - interval '85 months' WHERE id = $1`, [id]);
  const settings = { ...env, RETENTION_MONTHS: "submitted:999,approved:12,declined:84" };
  expect(await callCommand("retention", [], settings)).toMatchObject({
    code: 0,
    out: [
      "Personal data erased from 0 applications with the status 'submitted'.\n",
      "Personal data erased from 0 applications with the status 'approved'.\n",
      "Personal data erased from 1 application with the status 'declined'.\n",
    ].join(""),
  });
  expect(await sql(`SELECT "firstName", status FROM applications WHERE id = $1`, [id])).toEqual([
    { firstName: "", status: "declined" },
  ]);
  expect(await run("retention")).toEqual(refused(expect.stringContaining("RETENTION_MONTHS is not set"), 2));
});

test("migrate can be run again, and names the missing database users", async () => {
  const { code, out, err } = await run("migrate");
  expect([code, out]).toEqual([0, "The database is up to date.\n"]);
  expect(err).toMatch(
    /^Missing: the database user \w+_app, the database user \w+_operations, the database user \w+_reader\. Run 'npm run roles'\.\n$/,
  );
});
