import { Client } from "pg";
import { callCommand } from "@/__tests__/support/call-command";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { claim } from "@/__tests__/support/sending";
import { setStatus } from "@/__tests__/support/set-status";
import { submitted } from "@/__tests__/support/submitted";
import { requireRecipient } from "@/lib/cli/shared/options";
import { prisma } from "@/lib/server/db/client";
import { cancelMessages, lastError, listMessages, retryMessages } from "@/lib/server/delivery/list-messages";
import { revokeLinks } from "@/lib/server/invitations/links";
import { delayAfter } from "@/lib/server/outbox/outcome";
import { addressHash, mailSystem } from "@/lib/server/outbox/reachability";
import { isStopCode, makeStopCode, stopHash, suppress, suppressionOf } from "@/lib/server/outbox/suppressions";
import type { MessageState } from "@/prisma/generated/client";

const { sql, operationsUrl, insertMessage, blockedBy } = freshDatabase();
beforeEach(() => sql("DELETE FROM message_attempts; DELETE FROM messages"));

const retryNumbers = (...numbers: number[]) => retryMessages({ numbers, states: [] });
const retryStates = (...states: MessageState[]) => retryMessages({ numbers: [], states });
const write = (number: number, state: string, error = "", dueAt = "2026-11-22T06:00:00Z") =>
  insertMessage({ number, kind: "reminder", state, error, dueAt, attempts: 3, by: "Ines" });
const states = async () =>
  Object.fromEntries((await sql("SELECT number, state FROM messages")).map(({ number, state }) => [number, state]));

test("a list has every field of a message, the newest message first", async () => {
  const { id, reference } = await invited();
  const toAda = { applicationId: id, kind: "reminder", channel: "sms", recipient: "61412345678", detail: "day 3" };
  const times = { dueAt: "2026-11-22T06:00:00Z", sentAt: "2026-11-22T06:00:01Z" };
  await insertMessage({ number: 8001, ...toAda, ...times, state: "sent", attempts: 2, by: "Ines" });
  await write(8002, "failed", "550 5.1.1");
  const common = { kind: "reminder", due: "2026-11-22T06:00:00.000Z", by: "Ines" };
  const toPhone = { ...common, channel: "sms", recipient: "61412345678", detail: "day 3", attempts: 2, error: "" };
  const toMail = { ...common, channel: "email", recipient: "a@b.example", detail: "", attempts: 3, error: "550 5.1.1" };
  expect(await listMessages({})).toEqual([
    { ...toMail, number: 8002, reference: "", state: "failed", sent: null },
    { ...toPhone, number: 8001, reference, state: "sent", sent: "2026-11-22T06:00:01.000Z" },
  ]);
  const numbers = async (filter: Parameters<typeof listMessages>[0]) =>
    (await listMessages(filter)).map(({ number }) => number);
  await sql(`UPDATE messages SET "firstDueAt" = '2026-11-22T05:59:00Z' WHERE number = 8001`);
  // A claim moves dueAt to the end of its lease.
  expect((await listMessages({ reference }))[0]?.due).toBe("2026-11-22T05:59:00.000Z");
  expect(await numbers({ reference })).toEqual([8001]);
  expect(await numbers({ states: ["sent", "waiting"] })).toEqual([8001]);
  expect(await numbers({ states: ["sent", "failed"] })).toEqual([8002, 8001]);
  await write(8003, "waiting", "", "2026-11-23T06:00:00Z");
  expect(await numbers({ since: new Date("2026-11-23T06:00:00Z") })).toEqual([8003]);
});

test("messages that should have been sent by now are listed without later reminders", async () => {
  const later = "2999-01-01T00:00:00Z";
  await write(8101, "waiting", "", "2026-11-23T06:00:00Z");
  await write(8102, "waiting", "", later);
  await write(8103, "waiting", "450", later);
  await sql(`UPDATE messages SET "firstDueAt" = now() - interval '1 hour' WHERE number = 8103`);
  await write(8104, "sent", "", "2026-11-23T06:00:00Z");
  expect((await listMessages({ isDue: true })).map(({ number }) => number)).toEqual([8103, 8101]);
});

test("messages are made due again by number or by state: none that is sent, being sent or was never tried", async () => {
  for (const [n, state] of ["waiting", "sending", "sent", "delivered", "failed", "unknown", "cancelled"].entries())
    await write(9001 + n, state, state === "waiting" ? "" : "450");
  await write(9008, "waiting", "450", "2999-01-01T00:00:00Z");
  expect(await retryNumbers(9002, 9003, 9004)).toEqual([]);
  expect(await retryStates("waiting")).toEqual([9008]);
  expect(await retryStates("failed", "sent")).toEqual([9005]);
  expect(await retryNumbers(9001, 9006)).toEqual([9006]);
  expect(await states()).toEqual({
    ...{ 9001: "waiting", 9002: "sending", 9003: "sent", 9004: "delivered" },
    ...{ 9005: "waiting", 9006: "waiting", 9007: "cancelled", 9008: "waiting" },
  });
  const retried = `SELECT DISTINCT attempts, error, "firstDueAt", abs(extract(epoch FROM "dueAt" - now())) < 60 AS now
    FROM messages WHERE number IN (9005, 9008)`;
  expect(await sql(retried)).toEqual([{ attempts: 0, error: "", firstDueAt: null, now: true }]);
});

test("a retry by state can be limited to a channel and to what was due or tried since a day", async () => {
  for (const number of [9041, 9042, 9043]) await write(number, "failed", "450");
  await sql(`UPDATE messages SET "dueAt" = now() WHERE number = 9041`);
  await sql(`INSERT INTO message_attempts ("messageId") SELECT id FROM messages WHERE number = 9042`);
  const failed = { numbers: [], states: ["failed" as const], since: new Date(Date.now() - 3_600_000) };
  expect(await retryMessages({ ...failed, channel: "sms" })).toEqual([]);
  expect((await retryMessages({ ...failed, channel: "email" })).sort()).toEqual([9041, 9042]);
});

test("a retry by state leaves out invitations and reminders to a suppressed address, which would only be cancelled", async () => {
  await suppress("email", "dead@b.example", "bounced 5.1.1", mailSystem);
  const to = { recipient: "dead@b.example", state: "failed", error: "bounced 5.1.1" };
  await insertMessage({ number: 9061, kind: "invitation", ...to });
  await insertMessage({ number: 9062, kind: "status", ...to });
  await write(9063, "failed", "550");
  expect((await retryStates("failed")).sort()).toEqual([9062, 9063]);
  expect(await retryNumbers(9061)).toEqual([9061]);
});

test("a retry of messages that were sent searches for none, because there may be millions", async () => {
  await write(9071, "sent");
  const sent = jest.spyOn(Client.prototype, "query");
  expect(await retryStates("sent", "delivered", "failed")).toEqual([]);
  const values = sent.mock.calls.flatMap(([query]) => (query as unknown as { values?: unknown[] }).values ?? []);
  expect(values.filter((value) => value === "sent" || value === "delivered")).toEqual([]);
  expect(values).toContain("failed");
});

test("a retry by state accepts more messages than a statement accepts parameters", async () => {
  await sql(`INSERT INTO messages (kind, channel, recipient, state)
    SELECT 'reminder', 'email', n || '@b.example', 'failed' FROM generate_series(1, 33000) AS n`);
  expect(await retryStates("failed")).toHaveLength(33_000);
});

test("a message that was cancelled while it was being sent is not made due again before its attempt ends", async () => {
  const { id } = await write(9051, "cancelled");
  await sql(`INSERT INTO message_attempts ("messageId", "contactedAt") VALUES ($1, now())`, [id]);
  expect(await retryNumbers(9051)).toEqual([]);
  await sql(`UPDATE message_attempts SET "endedAt" = now() WHERE "messageId" = $1`, [id]);
  expect(await retryNumbers(9051)).toEqual([9051]);
});

// A retry locks before it updates: an UPDATE that waits for a message would not see the attempts that began meanwhile.
test("a message that is claimed and cancelled while a retry waits for another one stays cancelled", async () => {
  for (const number of [9071, 9072]) await write(number, "waiting", "ECONNREFUSED");
  const claimAndCancel = async () => {
    const claimed = await claim("email", 10);
    expect(claimed.map(({ number }) => Number(number))).toEqual([9072]);
    await prisma().messageAttempt.updateMany({ data: { contactedAt: new Date() } });
    await cancelMessages([9072], "Vera");
  };
  const lock = "SELECT FROM messages WHERE number = 9071 FOR UPDATE";
  const retried = await blockedBy(lock, [], () => retryNumbers(9071, 9072), claimAndCancel);
  expect([retried, await states()]).toEqual([[9071], { 9071: "waiting", 9072: "cancelled" }]);
});

test("only messages that are not sent yet or whose outcome is unknown are cancelled, and who did it is recorded", async () => {
  for (const [n, state] of ["waiting", "sending", "sent", "failed", "unknown"].entries()) await write(9101 + n, state);
  expect((await cancelMessages([9101, 9102, 9103, 9104, 9105], "Vera")).sort()).toEqual([9101, 9102, 9105]);
  expect(await states()).toEqual({
    ...{ 9101: "cancelled", 9102: "cancelled", 9105: "cancelled" },
    ...{ 9103: "sent", 9104: "failed" },
  });
  expect(await sql("SELECT DISTINCT error FROM messages WHERE state = 'cancelled'")).toEqual([{ error: "by Vera" }]);
});

test("the last attempt that contacted a channel's provider reports its error for five minutes", async () => {
  expect(await lastError("email")).toBe("");
  await insertMessage({ number: 9301 });
  await insertMessage({ number: 9302, channel: "sms" });
  const insertion = `INSERT INTO message_attempts ("messageId", error, at, "contactedAt", "endedAt")
    SELECT id, $2, now() - $3::interval, now() - $3::interval, now() - $4::interval FROM messages WHERE number = $1`;
  const attempt = (number: number, error: string, at: string, ended: string | null) =>
    sql(insertion, [number, error, at, ended]);
  await attempt(9301, "ECONNREFUSED", "6 minutes", "6 minutes");
  expect(await lastError("email")).toBe("");
  await attempt(9301, "ETIMEDOUT", "3 minutes", "3 minutes");
  await attempt(9301, "EAUTH", "2 minutes", "2 minutes");
  await attempt(9301, "", "1 minute", null);
  await sql(`INSERT INTO message_attempts ("messageId", error, "endedAt")
    SELECT id, 'submitted', now() FROM messages WHERE number = 9301`);
  await attempt(9302, "HTTP 503", "1 minute", "1 minute");
  expect([await lastError("email"), await lastError("sms")]).toEqual(["EAUTH", "HTTP 503"]);
});

test("a message that is cancelled while all unknown ones are retried stays cancelled", async () => {
  await write(9501, "unknown");
  const cancel = "UPDATE messages SET state = 'cancelled', error = 'by Vera' WHERE number = $1";
  expect(await blockedBy(cancel, [9501], () => retryStates("unknown"))).toEqual([]);
  expect(await states()).toEqual({ 9501: "cancelled" });
  expect(await retryNumbers(9501)).toEqual([9501]);
});

test("the list since a day has what was due or tried since, but nothing that is due later", async () => {
  const [yesterday, today, later] = [-26, -1, 26].map((hours) => new Date(Date.now() + hours * 3_600_000));
  await insertMessage({ number: 9601, dueAt: yesterday, sentAt: yesterday });
  await insertMessage({ number: 9602, dueAt: today });
  await insertMessage({ number: 9603, dueAt: later });
  const sent = await insertMessage({ number: 9604, dueAt: yesterday, sentAt: today });
  const failed = await insertMessage({ number: 9605, dueAt: yesterday, state: "failed" });
  const both = await insertMessage({ number: 9606, dueAt: today });
  await sql(`INSERT INTO message_attempts ("messageId") VALUES ($1), ($2), ($3)`, [sent.id, failed.id, both.id]);
  const since = new Date(Date.now() - 24 * 3_600_000);
  expect((await listMessages({ since })).map(({ number }) => number)).toEqual([9606, 9605, 9604, 9602]);
});

const run = (name: string, ...args: string[]) => callCommand(name, args, { DATABASE_URL: operationsUrl });
const remove = (address: string) => run("suppressions", "remove", address);

// What is removed is removed by its id, as it was read.
test("two commands that remove a bounce's suppression at once leave a person's opt-out", async () => {
  const address = "eve@b.example";
  await suppress("email", address, "bounced 5.1.1", mailSystem);
  await suppress("email", address, "asked us", "Vera");
  const first = `DELETE FROM suppressions WHERE by = '${mailSystem}' AND "addressHash" = $1`;
  await blockedBy(first, [addressHash("email", address)], () => remove(address));
  expect((await suppressionOf("email", address))?.by).toBe("Vera");
});

test("removing a bounce's suppression leaves a person's opt-out, which is removed separately", async () => {
  const address = "di@b.example";
  await suppress("email", "ed@b.example", "bounced 5.1.1", mailSystem);
  await suppress("email", address, "bounced 5.1.1", mailSystem);
  await suppress("email", address, "asked us", "Vera");
  expect((await suppressionOf("email", address))?.by).toBe("Vera");
  expect((await remove(address)).out).toMatch(
    /^di@b.example is no longer stopped because of a bounce. .* by Vera: asked us\. Repeat this only if /,
  );
  expect((await suppressionOf("email", address))?.by).toBe("Vera");
  expect((await remove(address)).out).toBe("Invitations and reminders may go to di@b.example again.\n");
  expect((await remove(address)).out).toBe("Invitations and reminders to di@b.example were not stopped.\n");
  expect((await suppressionOf("email", "ed@b.example"))?.by).toBe(mailSystem);
});

test.each([
  ["email", [60, 300, 900, 3600, 7200, 14_400, 28_800, 43_200, 43_200, 86_400]],
  ["sms", [30, 60, 300, 900, 3600, 14_400]],
  ["webhook", [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]],
] as const)("the channel %s retries failed attempts by its schedule", (channel, seconds) => {
  const delays = [...seconds.keys(), seconds.length].map((n) => delayAfter(channel, n + 1));
  expect(delays).toEqual([...seconds, undefined]);
});

test("an opt-out code is read as 30 characters, whatever a mail program appends", () => {
  const code = makeStopCode();
  expect(code).toMatch(/^[\w-]{30}$/);
  expect(makeStopCode()).not.toBe(code);
  expect([code, `${code}.`].map(isStopCode)).toEqual([true, true]);
  expect([code.slice(1), `.${code}`, "", undefined, 7, [code]].map(isStopCode)).toEqual(Array(6).fill(false));
  expect(stopHash(`${code}.`)).toBe(stopHash(code));
  expect(stopHash(code)).toMatch(/^[\da-f]{64}$/);
});

test("without a configured channel no message is created, so none goes out once one is configured", async () => {
  const { reference } = await submitted({ mobile: "61412345678", email: "ada@landlord.example" });
  await setStatus(reference, "approved", { by: "Ines" });
  expect(await sql("SELECT kind FROM messages")).toEqual([]);
});

test.each([
  ["invite", ["--mobile", "61412345678", "--send"]],
  ["links", ["reissue", "K7QM-4XRT", "--send"]],
])("without a configured channel, %s --send says so and does nothing", async (name, args) => {
  const before = await sql("SELECT count(*) FROM links");
  const err = expect.stringContaining("Sending is not set up. Set SMTP_URL or SMS_PROVIDER");
  expect(await run(name, ...args)).toEqual({ code: 1, out: "", err });
  expect(await sql("SELECT count(*) FROM links")).toEqual(before);
});

test.each([
  ["alex@example.com", "email", "alex@example.com"],
  ["0412 345 678", "sms", "61412345678"],
  ["+61 412 345 678", "sms", "61412345678"],
  ["smith&sons@example.com", "email", "smith&sons@example.com"],
  ["alex@example.com\u200b", "email", "alex@example.com"],
  [" \u202aalex@example.com\u202c", "email", "alex@example.com"],
  ["\u202a0412\u2011345\u2011678\u202c", "sms", "61412345678"],
])("%j is normalised to the %s recipient %s", (text, channel, recipient) => {
  expect(requireRecipient(text)).toEqual({ channel, recipient });
});

test.each([
  ...["x", "a@b.example,c@d.example", "a@b.example c@d.example", "a,b@c.example"],
  ...["alex@example.com.", "(alex@example.com)"],
])("%s is not a recipient: no message is created", async (text) => {
  const { code, err } = await run("messages", "test", text);
  expect([code, err]).toEqual([2, expect.stringContaining("is neither an email address nor a phone number.")]);
  expect(await sql("SELECT FROM messages")).toEqual([]);
});

test("a number that was not changed is named, and the exit code is 1", async () => {
  await insertMessage({ number: 9101, kind: "reminder" });
  await insertMessage({ number: 9102, kind: "reminder", state: "sent" });
  expect(await run("messages", "cancel", "9101", "9102", "9103")).toEqual({
    code: 1,
    out: "1 message cancelled.\n",
    err: "Message 9102 can no longer be cancelled, or does not exist.\nMessage 9103 can no longer be cancelled, or does not exist.\n",
  });
  expect(await run("messages", "retry", "9101", "9102")).toEqual({
    code: 1,
    out: "1 message will be retried.\n",
    err: "Message 9102 was sent, is being sent, has not been tried or does not exist.\n",
  });
});

test("a retry names the messages that would only be cancelled, and leaves them as they are", async () => {
  const { id, reference } = await invited({ email: "ada@mail.example" });
  const failed = { applicationId: id, kind: "invitation", state: "failed", error: "550" };
  await insertMessage({ ...failed, number: 9201, recipient: "ada@mail.example" });
  expect(await run("messages", "retry", "9201")).toMatchObject({ code: 0, out: "1 message will be retried.\n" });
  await insertMessage({ ...failed, number: 9202, recipient: "old@mail.example" });
  await revokeLinks(reference, "Ines");
  await insertMessage({ ...failed, number: 9203, recipient: "ada@mail.example" });
  await insertMessage({ ...failed, number: 9204, recipient: "" });
  expect(await run("messages", "retry", "9202", "9203", "9204")).toEqual({
    code: 1,
    out: "0 messages will be retried.\n",
    err: [
      "Message 9202 would only be cancelled: the contact was corrected.\n",
      "Message 9203 would only be cancelled: revoked.\n",
      "Message 9204 would only be cancelled: erased.\n",
    ].join(""),
  });
  expect(await states()).toMatchObject({ 9202: "failed", 9203: "failed", 9204: "failed" });
});

test("operations add, look up and remove a suppression by command", async () => {
  const { id } = await invited();
  await insertMessage({ applicationId: id, kind: "reminder", channel: "sms", recipient: "61412000111" });
  const out = async (...args: string[]) => (await run("suppressions", ...args)).out;
  expect(await out("check", "0412 000 111")).toBe("Invitations and reminders to 61412000111 are not stopped.\n");
  expect(await out("add", "+61", "412", "000", "111", "--by", "Ines", "--reason", "said so")).toBe(
    "61412000111 will get no more invitations or reminders. Waiting messages cancelled: 1.\n",
  );
  expect(await out("check", "0412000111")).toMatch(
    /^Invitations and reminders to 61412000111 have been stopped since \d{4}-\d\d-\d\d \d\d:\d\d AE[DS]T by Ines: said so\.\n$/,
  );
  expect(await out("add", "0412000111")).toBe("Invitations and reminders to 61412000111 had already been stopped.\n");
  expect(await out("remove", "0412000111")).toBe("Invitations and reminders may go to 61412000111 again.\n");
  expect(await out("remove", "0412000111")).toBe("Invitations and reminders to 61412000111 were not stopped.\n");
  expect(await run("suppressions", "add", "nobody")).toMatchObject({ code: 2, out: "" });
});
