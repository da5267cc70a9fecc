import { setTimeout as sleep } from "node:timers/promises";
import { freshDatabase } from "@/__tests__/support/database";
import { lines, logged } from "@/__tests__/support/log-lines";
import { ownProviders } from "@/__tests__/support/providers";
import { reportFigure, size } from "@/__tests__/support/size";
import { until } from "@/__tests__/support/until";
import { withSettings } from "@/__tests__/support/with-settings";
import { listMessages } from "@/lib/server/delivery/list-messages";
import { trackOutage } from "@/lib/server/delivery/outage";
import { startWorker } from "@/lib/server/delivery/worker";
import { currentSettings } from "@/lib/server/settings";

process.env.LOG_LEVEL = "info";
const { sql, appUrl, insertMessage } = freshDatabase();

jest.mock("pino", () => require("@/__tests__/support/log-lines").pinoMock);

/** The log line of each attempt, without level and time. */
const attempts = () => logged().map(({ level, time, ...rest }) => rest);

const providers = ownProviders();
beforeEach(async () => {
  await sql("DELETE FROM message_attempts; DELETE FROM messages");
  providers.gateway.respondWith({});
  // Elsewhere, the next worker is another process, which has not seen the outage.
  trackOutage("sms", [{ state: "sent" }]);
  lines.length = 0;
});

const untilLogged = (count: number) => until(() => lines.length >= count);

const write = (channel: string, recipient: string, number: number) => insertMessage({ channel, recipient, number });
const begin = () => startWorker(appUrl, { spacingMs: 0 });

/** Runs a worker until it has logged this many attempts. */
async function workUntilLogged(count: number): Promise<void> {
  const worker = begin();
  await untilLogged(count);
  await worker.stop();
}

const line = (channel: string, message: number) => ({
  channel,
  message,
  kind: "test",
  milliseconds: expect.any(Number),
});

test("the worker serves each configured channel and logs each attempt by message number and outcome", async () => {
  await write("email", "ops@lender.example", 101);
  await write("sms", "61412345678", 102);
  await write("sms", "6421345678", 103);
  await write("webhook", "", 104);
  await workUntilLogged(4);
  expect(attempts()).toHaveLength(4);
  expect(attempts()).toEqual(
    expect.arrayContaining([
      { ...line("email", 101), outcome: "sent" },
      { ...line("sms", 102), outcome: "sent" },
      { ...line("sms", 103), outcome: "failed", reason: "country not allowed" },
      { ...line("webhook", 104), outcome: "sent" },
    ]),
  );
});

test("messages beyond one batch follow at once, and messages that become due later within a moment", async () => {
  for (let number = 201; number <= 212; number += 1) await write("sms", "61412345678", number);
  const worker = begin();
  await untilLogged(12);
  await write("sms", "61412345678", 213);
  await untilLogged(13);
  await worker.stop();
  expect(providers.gateway.requests).toHaveLength(13);
});

test("while the provider is unavailable, the rest of the list waits, and the worker stops at once", async () => {
  providers.gateway.respondWith({ status: 503 });
  for (let number = 301; number <= 312; number += 1) await write("sms", "61412345678", number);
  const worker = begin();
  await untilLogged(10);
  // Longer than the pause of a worker that has nothing to send.
  await sleep(1500);
  const began = performance.now();
  await worker.stop();
  expect(performance.now() - began).toBeLessThan(5000);
  expect(attempts()).toHaveLength(10);
  expect(attempts()[0]).toMatchObject({ outcome: "later", reason: "HTTP 503" });
});

test("SMS whose responses are dropped are each requested once and listed as unknown", async () => {
  const count = size(10, 100);
  providers.gateway.respondWith("drop");
  for (let n = 0; n < count; n += 1) await write("sms", String(61400000000 + n), 300 + n);
  await workUntilLogged(count);
  // The leases end, and another worker claims the messages.
  await sql(`UPDATE messages SET "dueAt" = "dueAt" - interval '61 s'`);
  await write("email", "ops@lender.example", 299);
  await workUntilLogged(count + 1);
  expect(new Set(providers.gateway.requests.map(({ body }) => body)).size).toBe(count);
  expect(providers.gateway.requests).toHaveLength(count);
  expect(await listMessages({ states: ["unknown"] })).toHaveLength(count);
  const listed = `${count} requests, ${count} listed as unknown`;
  reportFigure(44, `${count} answers of an SMS gateway dropped, two workers: ${listed}`);
});

test.each([
  ["whose provider asks for another", "webhook", "test", "HTTP 429"],
  ["whose kind is unknown", "sms", "from-a-newer-version", "no text"],
])("the last attempt of a message %s is logged as failed", async (_, channel, kind, reason) => {
  providers.receiver.respondWith((response) => response.writeHead(429, { "retry-after": "60" }).end());
  await insertMessage({ kind, channel, recipient: channel === "sms" ? "61412345678" : "", number: 401 });
  await sql("UPDATE messages SET attempts = 20");
  await workUntilLogged(1);
  expect(attempts()).toEqual([{ ...line(channel, 401), kind, outcome: "failed", reason }]);
  expect(await sql("SELECT state FROM messages")).toEqual([{ state: "failed" }]);
});

test("a database failure is logged by channel and error code alone, and no loop tries again within a second", async () => {
  await sql("ALTER TABLE messages RENAME TO elsewhere; ALTER TABLE fresh_link_requests RENAME TO requests");
  const worker = begin();
  await untilLogged(4);
  await sleep(1500);
  await worker.stop();
  await sql("ALTER TABLE elsewhere RENAME TO messages; ALTER TABLE requests RENAME TO fresh_link_requests");
  const error = { name: "PrismaClientKnownRequestError", code: "42P01" };
  const failures = ["email", "sms", "webhook"].map((channel) => ({ channel, error }));
  expect(attempts()).toHaveLength(4);
  expect(attempts()).toEqual(expect.arrayContaining([...failures, { channel: "email", kind: "fresh-link", error }]));
});

test("without a mail server the other channels are served", async () => {
  await write("email", "ops@lender.example", 401);
  await write("sms", "61412345678", 402);
  await withSettings({ sending: { ...currentSettings().sending, email: undefined } }, () => workUntilLogged(1));
  expect(attempts()).toEqual([{ ...line("sms", 402), outcome: "sent" }]);
});

test("an outcome that the database cannot take at first is recorded later, and nothing is sent again", async () => {
  await sql(`CREATE SEQUENCE refusals; GRANT USAGE ON SEQUENCE refusals TO PUBLIC`);
  await sql(`CREATE FUNCTION refuse_twice() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF nextval('refusals') <= 2 THEN RAISE EXCEPTION 'disk full' USING ERRCODE = '53100'; END IF;
      RETURN NEW;
    END $$`);
  await sql(`CREATE TRIGGER refuse_twice BEFORE UPDATE ON messages FOR EACH ROW
    WHEN (NEW.state = 'sent') EXECUTE FUNCTION refuse_twice()`);
  await insertMessage();
  const before = providers.mail.raw.length;
  await workUntilLogged(1);
  expect(attempts().map(({ outcome }) => outcome)).toEqual(["sent"]);
  expect(await sql("SELECT state, attempts FROM messages")).toEqual([{ state: "sent", attempts: 1 }]);
  expect(providers.mail.raw).toHaveLength(before + 1);
  await sql("DROP TRIGGER refuse_twice ON messages");
});

test("if the database fails on one message, its batch is logged, it is due again, and the worker pauses", async () => {
  await sql(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '23514'; END $$`);
  await sql(`CREATE TRIGGER refuse BEFORE UPDATE ON messages FOR EACH ROW
    WHEN (NEW.state = 'sent' AND NEW.recipient = '2@mail.example') EXECUTE FUNCTION refuse()`);
  for (const n of [1, 2, 3]) await insertMessage({ recipient: `${n}@mail.example` });
  const worker = startWorker(appUrl, { spacingMs: 100 });
  await untilLogged(3);
  await insertMessage({ recipient: "4@mail.example" });
  await sleep(1500);
  await worker.stop();
  const ended = attempts().map(({ kind, outcome }) => `${kind} ${outcome}`);
  expect(ended.toSorted()).toEqual(["test sent", "test sent", "test undefined"]);
  expect(await sql(`SELECT recipient, state FROM messages WHERE state <> 'sent' AND "dueAt" > now()`)).toEqual([
    { recipient: "2@mail.example", state: "sending" },
  ]);
});
