import { callCommand } from "@/__tests__/support/call-command";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { setStatus } from "@/__tests__/support/set-status";
import { submitted } from "@/__tests__/support/submitted";
import { readRecipient } from "@/lib/cli/options";

const { operationsUrl, sql, insertMessage } = freshDatabase();
const run = (...args: string[]) => callCommand("messages", args, { DATABASE_URL: operationsUrl });

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
  const result = await callCommand(name, args, { DATABASE_URL: operationsUrl });
  expect(result).toMatchObject({ code: 1, out: "" });
  expect(result.err).toContain("Sending is not set up: set SMTP_URL or SMS_PROVIDER");
  expect(await sql("SELECT count(*) FROM links")).toEqual(before);
});

test.each([
  ["alex@example.com", "email", "alex@example.com"],
  ["0412 345 678", "sms", "61412345678"],
  ["+61 412 345 678", "sms", "61412345678"],
])("%s is normalised to the %s recipient %s", (text, channel, recipient) => {
  expect(readRecipient(text)).toEqual({ channel, recipient });
});

test.each(["x", "a@b.example,c@d.example", "a@b.example c@d.example", "Alex <alex@example.com>", "a,b@c.example"])(
  "%s is not a recipient: no message is created",
  async (text) => {
    const { code, err } = await run("test", text);
    expect([code, err]).toEqual([2, expect.stringContaining("is neither an email address nor a phone number.")]);
    expect(await sql("SELECT FROM messages")).toEqual([]);
  },
);

test("the list says when a message was sent, and when one that waits is due, in BRAND_TIME_ZONE", async () => {
  await sql(`INSERT INTO messages (kind, channel, recipient, state, "dueAt", "sentAt") VALUES
    ('test', 'email', 'a@b.example', 'sent', '2026-11-22 06:59:04Z', '2026-11-22 06:58:04Z'),
    ('test', 'email', 'a@b.example', 'waiting', '2026-11-25 06:58:00Z', NULL)`);
  const { out } = await run("list", "--state", "sent, waiting");
  const times = out
    .trim()
    .split("\n")
    .map((line) => line.split("\t")[1]);
  expect(times).toEqual(["2026-11-25 17:58 AEDT", "2026-11-22 17:58 AEDT"]);
});

test("retrying all waiting messages affects only those that were tried before; future reminders keep their date", async () => {
  await sql("DELETE FROM messages");
  await sql(`INSERT INTO messages (number, kind, channel, recipient, error, "dueAt") VALUES
    (9001, 'test', 'email', 'a@b.example', '450 4.2.1', now() + interval '4 hours'),
    (9002, 'reminder', 'email', 'a@b.example', '', now() + interval '7 days'),
    (9003, 'reminder', 'email', 'a@b.example', '', now() + interval '7 days')`);
  const dueOf = async () =>
    (await sql<{ number: string }>(`SELECT number FROM messages WHERE "dueAt" <= now() ORDER BY number`)).map(
      ({ number }) => Number(number),
    );
  expect((await run("retry", "--state", "waiting")).out).toBe("1 message will be retried.\n");
  expect(await dueOf()).toEqual([9001]);
  await run("retry", "9003");
  expect(await dueOf()).toEqual([9001, 9003]);
});

test("a number that was not changed is named, and the exit code is 1", async () => {
  await insertMessage({ number: 9101, kind: "reminder" });
  await insertMessage({ number: 9102, kind: "reminder", state: "sent" });
  expect(await run("cancel", "9101", "9102", "9103")).toEqual({
    code: 1,
    out: "1 message cancelled.\n",
    err: "Message 9102 is not waiting, or does not exist.\nMessage 9103 is not waiting, or does not exist.\n",
  });
  expect(await run("retry", "9101", "9102")).toEqual({
    code: 1,
    out: "1 message will be retried.\n",
    err: "Message 9102 was sent, is being sent or does not exist.\n",
  });
});

test.each([
  [["list", "--reference", "nope"], "--reference nope is not a reference."],
  [["retry", "--state", "failed", "--channel", "sms"], "--channel cannot be used with retry."],
  [["cancel", "9001", "--since", "today"], "--since cannot be used with cancel."],
  [["retry", "1e3"], "Give the number of a message, as 'list' shows it."],
  [["retry", "0x10"], "Give the number of a message, as 'list' shows it."],
  [["cancel", ""], "Give the number of a message, as 'list' shows it."],
  [["cancel"], "Give the numbers of messages."],
  [["retry"], "Give either the numbers of messages or --state."],
  [["retry", "9001", "--state", "failed"], "Give either the numbers of messages or --state."],
])("%j is a usage error and affects no message", async (args, message) => {
  expect(await run(...args)).toMatchObject({ code: 2, out: "", err: expect.stringContaining(message) });
});

test("operations add, look up and lift a stop by command", async () => {
  const { id } = await invited();
  await insertMessage({ applicationId: id, kind: "reminder", channel: "sms", recipient: "61412000111" });
  const run = (...args: string[]) => callCommand("suppressions", args, { DATABASE_URL: operationsUrl });
  expect((await run("check", "0412 000 111")).out).toBe("Messages to 61412000111 are not stopped.\n");
  expect((await run("add", "+61", "412", "000", "111", "--by", "Ines", "--reason", "said so")).out).toBe(
    "61412000111 gets no more invitations or reminders. Waiting messages cancelled: 1.\n",
  );
  expect((await run("check", "0412000111")).out).toMatch(
    /^Messages to 61412000111 have been stopped since \d{4}-\d\d-\d\d \d\d:\d\d AE[DS]T by Ines: said so\.\n$/,
  );
  expect((await run("add", "0412000111")).out).toBe("Messages to 61412000111 had already been stopped.\n");
  expect((await run("remove", "0412000111")).out).toBe("Invitations and reminders may go to 61412000111 again.\n");
  expect((await run("remove", "0412000111")).out).toBe("Messages to 61412000111 were not stopped.\n");
  expect(await run("add", "nobody")).toMatchObject({ code: 2, out: "" });
});
