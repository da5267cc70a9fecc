import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { callCommand } from "@/__tests__/support/call-command";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { ownMailServer } from "@/__tests__/support/providers";
import { type CommandResult, refused } from "@/__tests__/support/run-command";
import { claim, claimOne, deliver, finish } from "@/__tests__/support/sending";
import { reportFigure, size } from "@/__tests__/support/size";
import { submitted } from "@/__tests__/support/submitted";
import { temporaryFolder } from "@/__tests__/support/temporary-folder";
import { until } from "@/__tests__/support/until";
import { requireInvitation } from "@/lib/cli/invitations/invitation-list";
import { eraseApplication } from "@/lib/server/applications/erase";
import { retryMessages } from "@/lib/server/delivery/list-messages";
import { startWorker } from "@/lib/server/delivery/worker";
import { correctContact } from "@/lib/server/invitations/correct-contact";
import { createInvitations } from "@/lib/server/invitations/create-invitations";
import { reissueLink } from "@/lib/server/invitations/links";
import { findByToken } from "@/lib/server/links/find-by-token";

// Business hours are always open here, since reminders would otherwise wait for them.
jest.mock("@/lib/domain/business-hours", () => ({
  ...jest.requireActual("@/lib/domain/business-hours"),
  isOpen: () => true,
}));

const { sql, insertMessage, blockedBy, untilWaiting, appUrl, operationsUrl } = freshDatabase();
const run = (...args: string[]) => callCommand("applications", args, { DATABASE_URL: operationsUrl });
const terms = { expiresDays: 30, by: "Ines" };

const server = ownMailServer({ REMINDER_DAYS: "3,7" });
const folder = temporaryFolder();

const invite = (n: number) =>
  invited({ mobile: `6140000${String(n).padStart(4, "0")}`, email: `wrong${n}@mail.example` }, { send: true });

const contactOf = (reference: string) =>
  sql(`SELECT email, "invitedEmail", mobile, "invitedMobile" FROM applications WHERE reference = $1`, [reference]);
const waiting = (reference: string) =>
  sql(
    `SELECT kind, channel, recipient, detail FROM messages WHERE state = 'waiting'
     AND "applicationId" = (SELECT id FROM applications WHERE reference = $1) ORDER BY number`,
    [reference],
  );

test("a corrected contact gets the messages that waited for the wrong one, and old links open nothing", async () => {
  const { reference, token } = await invite(1);
  const { out } = await run("contact", reference, "--email", "right@mail.example", "--by", "Ines", "--json");
  const issued = JSON.parse(out);
  expect(issued.reference).toBe(reference);
  expect(await findByToken(token, "")).toBeNull();
  expect(await findByToken(issued.token, "")).toMatchObject({ row: { reference } });
  const right = { channel: "email", recipient: "right@mail.example" };
  expect(await waiting(reference)).toEqual([
    { ...right, kind: "invitation", detail: "" },
    { ...right, kind: "reminder", detail: "day 3" },
    { ...right, kind: "reminder", detail: "day 7" },
  ]);
  const mobile = "61400000001";
  expect(await contactOf(reference)).toEqual([
    { email: right.recipient, invitedEmail: right.recipient, mobile, invitedMobile: mobile },
  ]);
  const [event] = await sql(`SELECT detail, by, reason FROM events WHERE kind = 'contact_corrected'`);
  expect(event).toEqual({ detail: "email", by: "Ines", reason: "it was wrong1@mail.example" });
  await eraseApplication(reference, "Ines");
  expect(JSON.stringify(await sql("SELECT * FROM events, applications"))).not.toMatch(/wrong1@|right@/);
});

test("a correction that changes nothing is refused, and the link works on", async () => {
  const { reference, token } = await invite(20);
  const same = refused(
    `${reference} already has these contact details. 'npm run links -- reissue' issues a new link.\n`,
    1,
  );
  expect(await run("contact", reference, "--email", "wrong20@mail.example", "--mobile", "0400 000 020")).toEqual(same);
  expect(await findByToken(token, "")).toMatchObject({ row: { reference } });
});

test("a reminder cancelled during the correction stays cancelled", async () => {
  const { reference } = await invite(60);
  const cancel = `UPDATE messages SET state = 'cancelled', error = 'not needed' WHERE detail = 'day 3' AND "applicationId" =
    (SELECT id FROM applications WHERE reference = $1)`;
  await blockedBy(cancel, [reference], () => correctContact(reference, { email: "right60@mail.example" }, terms));
  expect((await waiting(reference)).map(({ detail }) => detail)).toEqual(["", "day 7"]);
});

test("a reminder that is being sent to the wrong contact does not prevent its copy to the right one", async () => {
  const { reference } = await invite(61);
  await sql("UPDATE messages SET state = 'cancelled' WHERE kind = 'invitation' OR detail = 'day 7'");
  await sql(`UPDATE messages SET "dueAt" = now() WHERE state = 'waiting'`);
  const reminder = await claimOne();
  await sql(`UPDATE message_attempts SET "contactedAt" = now() WHERE "messageId" = $1`, [reminder.id]);
  await correctContact(reference, { email: "right61@mail.example" }, terms);
  await finish(reminder, { state: "sent", providerId: "" }, "reminder-4");
  const copy = await claimOne();
  await deliver(copy);
  expect(await sql("SELECT state, error, recipient FROM messages WHERE id = $1", [copy.id])).toEqual([
    { state: "sent", error: "", recipient: "right61@mail.example" },
  ]);
});

test("a fresh link that waits for the wrong contact is cancelled and not sent to the right one", async () => {
  const { id, reference } = await invite(64);
  await insertMessage({ applicationId: id, kind: "fresh-link", recipient: "wrong64@mail.example" });
  await correctContact(reference, { email: "right64@mail.example" }, terms);
  expect(await sql("SELECT recipient, state, error FROM messages WHERE kind = 'fresh-link'")).toEqual([
    { recipient: "wrong64@mail.example", state: "cancelled", error: "the contact was corrected" },
  ]);
  expect((await waiting(reference)).map(({ kind }) => kind)).toEqual(["invitation", "reminder", "reminder"]);
});

test("with --send the right contact is invited once, and what an applicant has typed stays", async () => {
  const { reference } = await invite(2);
  await sql(`UPDATE applications SET email = 'typed@mail.example' WHERE reference = $1`, [reference]);
  const args = ["--email", "right2@mail.example", "--mobile", "0400 111 222", "--send"];
  const { out } = await run("contact", reference, ...args);
  expect(out).toContain("An invitation will be sent by email. An SMS is sent only if no email can be sent.\n");
  expect((await waiting(reference)).map(({ kind }) => kind)).toEqual(["invitation", "reminder", "reminder"]);
  const [invitedEmail, mobile] = ["right2@mail.example", "61400111222"];
  expect(await contactOf(reference)).toEqual([
    { email: "typed@mail.example", invitedEmail, mobile, invitedMobile: mobile },
  ]);
});

test("with --send and no email address, the corrected mobile is invited by SMS", async () => {
  const { reference } = await invited({ mobile: "61400000070" });
  const gateway = { SMS_PROVIDER: "generic", SMS_URL: "http://127.0.0.1:9", SMS_FROM: "61400000000" };
  const args = ["contact", reference, "--mobile", "0400 000 071", "--send"];
  expect((await callCommand("applications", args, { DATABASE_URL: operationsUrl, ...gateway })).out).toContain(
    "An invitation will be sent by SMS. No email can be sent: there is no address, email to it has bounced, or SMTP_URL is not set.\n",
  );
  expect(await waiting(reference)).toMatchObject([{ kind: "invitation", channel: "sms", recipient: "61400000071" }]);
});

test("a retry does not send a failed message to the wrong contact again", async () => {
  const { reference } = await invite(7);
  const wrong = "kind = 'invitation' AND recipient = 'wrong7@mail.example'";
  await sql(`UPDATE messages SET state = 'failed' WHERE state = 'waiting' AND ${wrong}`);
  await correctContact(reference, { email: "right7@mail.example" }, terms);
  expect(await retryMessages({ numbers: [], states: ["failed"] })).toHaveLength(1);
  for (const message of await claim("email", 100)) await deliver(message);
  const [old] = await sql(`SELECT state, error FROM messages WHERE ${wrong}`);
  expect(old).toEqual({ state: "cancelled", error: "the contact was corrected" });
});

test("an empty value counts as not given, so the other contact stays", async () => {
  const { reference } = await invite(40);
  const [email, mobile] = ["right40@mail.example", "61400000040"];
  expect((await run("contact", reference, "--email", email, "--mobile", "")).code).toBe(0);
  expect(await contactOf(reference)).toMatchObject([{ invitedEmail: email, invitedMobile: mobile, mobile }]);
  const right = "61400000041";
  expect((await run("contact", reference, "--email", "", "--mobile", right)).code).toBe(0);
  expect(await contactOf(reference)).toMatchObject([{ invitedEmail: email, invitedMobile: right, mobile: right }]);
});

test("a submitted or erased application, a wrong address and another applicant's mobile are refused", async () => {
  const done = await submitted();
  const erased = await invite(3);
  await eraseApplication(erased.reference, "Ines");
  for (const { reference } of [done, erased]) {
    const correction = correctContact(reference, { email: "right@mail.example" }, terms);
    await expect(correction).rejects.toThrow(`${reference} has been submitted or erased`);
  }
  const { reference } = await invite(4);
  const other = await invite(5);
  expect((await run("contact", reference, "--email", "right")).err).toMatch(/\nemail is not an email address\n$/);
  expect((await run("contact", reference)).code).toBe(2);
  expect((await run("contact", reference, "--email", "")).code).toBe(2);
  const taken = await run("contact", reference, "--mobile", "61400000005");
  expect(taken).toMatchObject({ code: 1, err: expect.stringContaining(`has an open application, ${other.reference}`) });
  expect((await run("contact", reference, "--mobile", "61400000005", "--allow-duplicates")).code).toBe(0);
});

test("a correction that waits for a decision is refused, and the links stay", async () => {
  const { id, reference, token } = await submitted();
  const email = "right@mail.example";
  const decide = "SELECT set_application_status($1, 'approved', 'Ines', '')";
  const late = blockedBy(decide, [id], () => correctContact(reference, { email }, terms));
  await expect(late).rejects.toThrow(`${reference} has been submitted or erased`);
  expect(await findByToken(token, "")).toMatchObject({ row: { status: "approved", invitedEmail: "" } });
});

test("a single invitation refuses a mobile that has an open application, unless it is allowed", async () => {
  const { reference } = await invite(6);
  const again = (...args: string[]) =>
    callCommand("invite", ["--mobile", "0400 000 006", "--json", ...args], { DATABASE_URL: operationsUrl });
  const err = `Mobile 61400000006 has an open application, ${reference}. --allow-duplicates allows a second.\n`;
  expect(await again()).toEqual(refused(err));
  expect((await again("--allow-duplicates")).code).toBe(0);
  // An application whose links have expired is not open.
  await sql(
    `UPDATE links SET "expiresAt" = now() FROM applications a WHERE a.id = "applicationId" AND mobile = '61400000006'`,
  );
  expect((await again()).code).toBe(0);
});

test("a link issued while a correction waits for its mobile is revoked, and no link is revoked before it was issued", async () => {
  const { reference } = await invite(65);
  const mobile = "61400000066";
  let corrected: Promise<{ token: string }> | undefined;
  const beforeCommit = async () => {
    corrected = correctContact(reference, { mobile }, terms);
    await untilWaiting(1);
    await reissueLink(reference, terms);
    throw new Error("The disk is full");
  };
  await expect(createInvitations([requireInvitation({ mobile })], { beforeCommit })).rejects.toThrow(
    "The disk is full",
  );
  expect(await findByToken((await corrected)?.token ?? "", "")).toMatchObject({ row: { reference } });
  const links = await sql<{ createdAt: Date; revokedAt: Date | null }>(
    `SELECT l."createdAt", l."revokedAt" FROM links l JOIN applications a ON a.id = l."applicationId"
     WHERE reference = $1 ORDER BY l."createdAt"`,
    [reference],
  );
  expect(links.map(({ revokedAt }) => revokedAt !== null)).toEqual([true, true, false]);
  expect(links.filter(({ createdAt, revokedAt }) => revokedAt && revokedAt < createdAt)).toEqual([]);
});

test.each([
  ["another invitation", "61400000008", "invite", ["--mobile", "61400000008"]],
  ["a correction", "61400000018", "applications", ["contact", "REFERENCE", "--mobile", "61400000018"]],
  ["a list", "61400000028", "invite", ["--csv", join(folder, "in.csv"), "--out", join(folder, "links.csv")]],
])("%s with the mobile of an invitation in progress waits for it and is refused", async (_, mobile, name, args) => {
  await writeFile(join(folder, "in.csv"), `mobile\n${mobile}\n`);
  const { reference } = await invite(9);
  let second: Promise<CommandResult> | undefined;
  const beforeCommit = async () => {
    const commandArgs = args.map((arg) => arg.replace("REFERENCE", reference));
    second = callCommand(name, commandArgs, { DATABASE_URL: operationsUrl });
    await untilWaiting(1);
  };
  expect(await createInvitations([requireInvitation({ mobile })], { beforeCommit })).toHaveLength(1);
  expect(await second).toMatchObject({
    code: 1,
    err: expect.stringContaining(`Mobile ${mobile} has an open application`),
  });
});

test("after a correction beside a running worker, no message goes to the old address and no old link works", async () => {
  await sql("UPDATE messages SET state = 'cancelled' WHERE state = 'waiting'");
  const count = size(20, 1_000);
  const all = await Promise.all(Array.from({ length: count }, (_, n) => invite(1_000 + n)));
  // Every second application was invited two days ago, so its first reminder is sent as well.
  await sql(`UPDATE messages SET state = 'sent', "sentAt" = now() - interval '2 days' WHERE kind = 'invitation' AND state = 'waiting'
    AND number % 2 = 0`);
  await sql(`UPDATE messages SET "dueAt" = now() WHERE state = 'waiting' AND detail <> 'day 7'`);
  const before = server.envelopes.length;
  const [start] = await sql("SELECT clock_timestamp()::text AS time");
  const worker = startWorker(appUrl, { spacingMs: 0 });
  for (const { reference } of all) await correctContact(reference, { email: `right-${reference}@mail.example` }, terms);
  const open = "SELECT FROM messages WHERE detail <> 'day 7' AND channel = 'email' AND state IN ('waiting', 'sending')";
  await until(async () => (await sql(open)).length === 0);
  await worker.stop();
  const sent = await sql<{ recipient: string; kind: string }>(
    `SELECT recipient, kind FROM messages WHERE channel = 'email' AND "sentAt" >= $1 ORDER BY recipient`,
    [start?.time],
  );
  const arrived = server.envelopes.slice(before).flat();
  expect(arrived.toSorted()).toEqual(sent.map(({ recipient }) => recipient).toSorted());
  const reminders = sent.filter(({ kind, recipient }) => kind === "reminder" && recipient.startsWith("right-")).length;
  expect(reminders).toBeGreaterThan(0);
  // Both lock the application before they write their events, so the events' order is the order of the locks. Their times are
  // those at which the transactions began. Every attempt to send creates a link.
  const late = await sql(`SELECT c."applicationId" FROM events c
    JOIN events l ON l."applicationId" = c."applicationId" AND l.kind = 'link_issued' AND l.id > c.id
    WHERE c.kind = 'contact_corrected' GROUP BY c."applicationId" HAVING count(*) > (
      SELECT count(*) FROM message_attempts t JOIN messages m ON m.id = t."messageId"
      WHERE m."applicationId" = c."applicationId" AND m.recipient LIKE 'right%' AND t."contactedAt" IS NOT NULL)`);
  expect(late).toEqual([]);
  const old = await sql(`SELECT l.id FROM links l JOIN events e ON e."applicationId" = l."applicationId"
    AND e.kind = 'contact_corrected' WHERE l."createdAt" < e.at AND l."revokedAt" IS NULL`);
  expect(old).toEqual([]);
  const mobiles = await sql(`SELECT FROM applications WHERE mobile >= '61400001000' AND mobile < '61400009999'`);
  expect(mobiles).toHaveLength(count);
  reportFigure(
    74,
    `${count.toLocaleString("en")} contacts corrected next to a worker: ${arrived.length} emails arrived, ${reminders} reminders at a right address among them, and none at an old one afterwards; 0 old links that work, ${count.toLocaleString("en")} applications`,
  );
});

test("the second of two corrections says which contact it has replaced", async () => {
  const { reference } = await invite(65);
  const correct = (...args: string[]) => run("contact", reference, ...args);
  const first = "email        wrong65@mail.example → right65@mail.example\n";
  expect((await correct("--email", "right65@mail.example")).out).toContain(first);
  const { out } = await correct("--email", "righter65@mail.example", "--mobile", "61400000965");
  expect(out).toContain("email        right65@mail.example → righter65@mail.example\n");
  expect(out).toContain("mobile       61400000065 → 61400000965\n");
});
