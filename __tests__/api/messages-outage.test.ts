import { freshDatabase } from "@/__tests__/support/database";
import { lines } from "@/__tests__/support/log-lines";
import { refusal, startMailServer } from "@/__tests__/support/mail-server";
import { freePort } from "@/__tests__/support/processes/app";
import { startSmsGateway } from "@/__tests__/support/sms-gateway";
import { until } from "@/__tests__/support/until";
import { prisma } from "@/lib/server/db/client";
import { oldestDueSeconds } from "@/lib/server/db/statements";
import { reportOutage, trackOutage } from "@/lib/server/messages/outage";
import { providerUnavailable } from "@/lib/server/messages/outcome";
import { startWorker } from "@/lib/server/messages/worker";
import { currentSettings, readSettings, replaceSettings } from "@/lib/server/settings";

process.env.LOG_LEVEL = "info";
const { sql, appUrl, insertMessage } = freshDatabase();

jest.mock("pino", () => require("@/__tests__/support/log-lines").pinoMock);
/** Shortens the wait for an unreachable provider from ten seconds to one. */
jest.mock("@/lib/server/messages/outcome", () => ({
  ...jest.requireActual("@/lib/server/messages/outcome"),
  outagePauseSeconds: 1,
}));

const logged = () => lines.map((line) => JSON.parse(line));
const outageLines = () => logged().filter(({ provider }) => provider !== undefined);

let mailPort: number;
beforeAll(async () => {
  mailPort = await freePort();
  Object.assign(process.env, { SMTP_URL: `smtp://127.0.0.1:${mailPort}`, SANDBOX_RECIPIENTS: "*" });
});

beforeEach(async () => {
  lines.length = 0;
  await sql("DELETE FROM message_attempts");
  await sql("DELETE FROM messages");
});
afterEach(() => jest.restoreAllMocks());

const minute = 60;
const hour = 60 * minute;
const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);

test.each<[string, { state?: string; due: number; firstDue?: number }, number]>([
  ["is due", { due: 5 * minute }, 5 * minute],
  ["waits for another attempt", { due: -10, firstDue: 2 * hour }, 2 * hour],
  ["is being sent again", { state: "sending", due: -minute, firstDue: hour }, hour],
  ["waits for its day", { due: -72 * hour }, 0],
  ["is sent", { state: "sent", due: hour, firstDue: hour }, 0],
])(
  "the age of a message that %s counts from when it was first due",
  async (_, { state = "waiting", due, firstDue }, seconds) => {
    await insertMessage({ state, dueAt: ago(due), firstDueAt: firstDue && ago(firstDue) });
    if (seconds > 0) await insertMessage();
    const found = await oldestDueSeconds(prisma());
    expect(Number.isInteger(found)).toBe(true);
    expect(found - seconds).toBeGreaterThanOrEqual(0);
    expect(found - seconds).toBeLessThan(30);
  },
);

test("an index finds the oldest due message among many that are due later", async () => {
  await sql(`INSERT INTO messages (kind, channel, recipient, "dueAt") SELECT 'reminder', 'email', 'a@mail.example', now() + interval '3 days'
    FROM generate_series(1, 20000)`);
  await sql("ANALYZE messages");
  const plan = await sql(`EXPLAIN (FORMAT JSON) SELECT min(COALESCE("firstDueAt", "dueAt")) FROM messages
    WHERE state IN ('waiting', 'sending') AND COALESCE("firstDueAt", "dueAt") <= now()`);
  expect(JSON.stringify(plan)).toContain("messages_first_due_at_idx");
  expect(JSON.stringify(plan)).not.toContain("Seq Scan");
});

test("the worker logs an outage of its mail server after ten minutes, without an address", async () => {
  await insertMessage({ recipient: "a@mail.example" });
  const worker = startWorker(appUrl, { spacingMs: 0 });
  await until(async () => logged().some(({ outcome }) => outcome === "later"));
  expect(outageLines()).toEqual([]);
  // Moves the clock of this process forward; the clock of the database is unchanged.
  jest.spyOn(Date, "now").mockReturnValue(Date.now() + 600_000);
  await until(async () => outageLines().length > 0);
  await worker.stop();
  const unreachable = { level: 40, channel: "email", provider: "unreachable", reason: "ECONNREFUSED", minutes: 10 };
  expect(outageLines()).toEqual([expect.objectContaining(unreachable)]);
  expect(lines.join()).not.toContain("mail.example");
});

test("an SMS gateway that fails, so that every SMS is unknown, tries one SMS after another, and the outage is logged once", async () => {
  const gateway = await startSmsGateway();
  gateway.respondWith({ status: 502 });
  const settings = currentSettings();
  replaceSettings(
    readSettings({ ...process.env, SMS_PROVIDER: "generic", SMS_URL: gateway.url, SMS_FROM: "61400000000" }),
  );
  for (let n = 0; n < 20; n += 1) await insertMessage({ channel: "sms", recipient: "61412345678", dueAt: ago(minute) });
  const worker = startWorker(appUrl, { spacingMs: 0 });
  await until(async () => gateway.requests.length >= 12);
  jest.spyOn(Date, "now").mockReturnValue(Date.now() + 600_000);
  await until(async () => outageLines().length > 0);
  gateway.respondWith({});
  await until(async () => outageLines().length > 1);
  await worker.stop();
  replaceSettings(settings);
  await gateway.stop();
  const sms = { channel: "sms", minutes: 10 };
  expect(outageLines()).toEqual([
    expect.objectContaining({ ...sms, level: 40, provider: "unreachable", reason: "HTTP 502" }),
    expect.objectContaining({ ...sms, level: 30, provider: "reachable" }),
  ]);
});

test("a confirmation that its server always defers does not hold up the invitations behind it", async () => {
  const mail = await startMailServer(
    {
      onRcptTo: ({ address }, _, callback) => callback(address.startsWith("full") ? refusal(421, "4.4.2 later") : null),
    },
    mailPort,
  );
  await insertMessage({ kind: "confirmation", recipient: "full@mail.example" });
  // Without an application, an invitation is not checked and has no link.
  for (let n = 0; n < 25; n += 1)
    await insertMessage({ kind: "invitation", recipient: `${n}@mail.example`, dueAt: ago(minute) });
  const worker = startWorker(appUrl, { spacingMs: 0 });
  await until(async () => (await sql("SELECT FROM messages WHERE state = 'sent'")).length === 25);
  await worker.stop();
  await mail.stop();
  expect(await sql("SELECT kind, error FROM messages WHERE state <> 'sent'")).toEqual([
    { kind: "confirmation", error: "421 4.4.2" },
  ]);
});

const warning = {
  ...{ level: 40, time: expect.any(String), channel: "sms", provider: "unreachable" },
  ...{ reason: "ECONNREFUSED", since: expect.any(String) },
};

/** Moves the clock of this process forward, and reports. The clock of the database is unchanged. */
async function reportAfter(minutes: number, channel: "sms" | "webhook" | "email" = "sms"): Promise<void> {
  const now = Date.now() + minutes * 60_000;
  jest.spyOn(Date, "now").mockReturnValue(now);
  await reportOutage(prisma(), channel);
}

const insert = (state: "waiting" | "sent" | "unknown", channel = "sms") =>
  sql(
    `INSERT INTO messages (kind, channel, recipient, state, "firstDueAt", "sentAt")
     VALUES ('test', $2::"MessageChannel", '61412345678', $1::"MessageState", now() - interval '1 hour', CASE WHEN $1 <> 'waiting' THEN now() END)`,
    [state, channel],
  );

test("a short outage, one that another process saw end, and one without waiting messages are not logged", async () => {
  const away = providerUnavailable("ECONNREFUSED");
  trackOutage("sms", away);
  trackOutage("sms", { state: "failed", error: "HTTP 400 21211" });
  await reportAfter(11);

  trackOutage("sms", away);
  await insert("waiting");
  await insert("sent");
  await reportAfter(11);

  trackOutage("sms", away);
  await sql("DELETE FROM messages");
  await reportAfter(11);
  expect(outageLines()).toEqual([]);

  trackOutage("sms", away);
  await insert("waiting");
  trackOutage("sms", { state: "unknown", error: "no response" });
  await insert("unknown");
  await reportAfter(11);
  expect(outageLines()).toEqual([{ ...warning, minutes: 11 }]);
  await reportAfter(9);
  expect(outageLines()).toHaveLength(1);
  await reportAfter(1);
  expect(outageLines().slice(1)).toEqual([{ ...warning, minutes: 21 }]);
  trackOutage("sms", { state: "sent" });
  expect(outageLines().slice(2)).toEqual([
    { ...warning, level: 30, provider: "reachable", minutes: 21, reason: undefined },
  ]);
});

test("an SMS provider that names a retry time counts as unavailable until then", async () => {
  await sql("DELETE FROM messages");
  await insert("waiting");
  trackOutage("sms", providerUnavailable("HTTP 503", 3600));
  trackOutage("sms", providerUnavailable("HTTP 429", 60));
  await reportAfter(10);
  expect(outageLines()).toEqual([{ ...warning, reason: "HTTP 429", minutes: 10 }]);
  trackOutage("sms", { state: "sent" });
});

test("a failing webhook receiver counts as unavailable, a mail server that defers a message does not", async () => {
  for (const [channel, error] of [
    ["webhook", "HTTP 500"],
    ["email", "450 4.2.1"],
  ] as const) {
    await insert("waiting", channel);
    trackOutage(channel, providerUnavailable("ECONNREFUSED"));
    trackOutage(channel, { state: "later", error });
  }
  await reportAfter(10, "webhook");
  await reportAfter(0, "email");
  expect(outageLines()).toEqual([{ ...warning, channel: "webhook", reason: "HTTP 500", minutes: 10 }]);
});
