import type { SMTPServerOptions } from "smtp-server";
import { freshDatabase } from "@/__tests__/support/database";
import { lines, logged } from "@/__tests__/support/log-lines";
import { refusal, startMailServer } from "@/__tests__/support/mail-server";
import { later } from "@/__tests__/support/outcomes";
import { freePort } from "@/__tests__/support/processes/app";
import { startSmsGateway } from "@/__tests__/support/sms-gateway";
import { until } from "@/__tests__/support/until";
import { type Db, prisma } from "@/lib/server/db/client";
import { isPaused, maxUnknown, outagePauseMs, reportOutage, trackOutage } from "@/lib/server/delivery/outage";
import { startWorker } from "@/lib/server/delivery/worker";
import { oldestDueSeconds } from "@/lib/server/http/readiness";
import { type Outcome, providerUnavailable, workerEnded } from "@/lib/server/outbox/outcome";
import { currentSettings, readSettings, replaceSettings, type Settings } from "@/lib/server/settings";

process.env.LOG_LEVEL = "info";
const { sql, appUrl, insertMessage, insertMessages } = freshDatabase();

jest.mock("pino", () => require("@/__tests__/support/log-lines").pinoMock);
/** Shortens the wait for an unreachable provider from ten seconds to a tenth of a second. */
jest.mock("@/lib/server/outbox/outcome", () => ({
  ...jest.requireActual("@/lib/server/outbox/outcome"),
  outagePauseSeconds: 0.1,
}));

const outageLines = () => logged().filter(({ provider }) => provider !== undefined);

let mailPort: number;
beforeAll(async () => {
  mailPort = await freePort();
  Object.assign(process.env, { SMTP_URL: `smtp://127.0.0.1:${mailPort}`, SANDBOX_RECIPIENTS: "*" });
});

beforeEach(async () => {
  lines.length = 0;
  await sql("DELETE FROM message_attempts; DELETE FROM messages");
});

const minute = 60;
const hour = 60 * minute;
const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);

test.each<[string, { state?: string; due: number; firstDue?: number }, number]>([
  ["is due", { due: 5 * minute }, 5 * minute],
  ["waits for another attempt", { due: -10, firstDue: 2 * hour }, 2 * hour],
  ["is being sent again", { state: "sending", due: -minute, firstDue: hour }, hour],
  ["waits for its day", { due: -72 * hour }, 0],
  ["is sent", { state: "sent", due: hour, firstDue: hour }, 0],
])("the age of what %s counts from when it was first due", async (_, { due, firstDue, ...state }, seconds) => {
  await insertMessage({ ...state, dueAt: ago(due), firstDueAt: firstDue && ago(firstDue) });
  if (seconds > 0) await insertMessage();
  const found = await oldestDueSeconds(prisma());
  expect(Number.isInteger(found)).toBe(true);
  expect(found - seconds).toBeGreaterThanOrEqual(0);
  expect(found - seconds).toBeLessThan(30);
});

test("an index finds the oldest due message among many that are due later", async () => {
  await sql(`INSERT INTO messages (kind, channel, recipient, "dueAt") SELECT 'reminder', 'email', 'a@mail.example', now() + interval '3 days'
    FROM generate_series(1, 2000)`);
  await sql("ANALYZE messages");
  let statement = "";
  const $queryRaw = ([text = ""]: TemplateStringsArray) => {
    statement = text;
    return [{ seconds: 0 }];
  };
  await oldestDueSeconds({ $queryRaw } as unknown as Db);
  const plan = await sql(`EXPLAIN (FORMAT JSON) ${statement}`);
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

test("a provider that has been away for an hour is tried less often, because each attempt is recorded", () => {
  const began = Date.now();
  trackOutage("email", [{ state: "later", error: "ECONNREFUSED", isUncounted: true }]);
  const before = outagePauseMs("email");
  jest.spyOn(Date, "now").mockReturnValue(began + 59 * 60_000);
  expect(outagePauseMs("email")).toBe(before);
  jest.spyOn(Date, "now").mockReturnValue(began + 61 * 60_000);
  expect(outagePauseMs("email")).toBe(6 * before);
  trackOutage("email", [{ state: "sent" }]);
  expect(outagePauseMs("email")).toBe(before);
});

describe("an SMS gateway that fails, so that every SMS is unknown", () => {
  let gateway: Awaited<ReturnType<typeof startSmsGateway>>;
  let settings: Settings;
  beforeAll(async () => {
    settings = currentSettings();
    gateway = await startSmsGateway();
    const generic = { SMS_PROVIDER: "generic", SMS_URL: gateway.url, SMS_FROM: "61400000000" };
    replaceSettings(readSettings({ ...process.env, ...generic }));
  });
  beforeEach(() => {
    gateway.respondWith({ status: 502 });
    trackOutage("sms", Array<Outcome>(maxUnknown - 10).fill(unknown));
  });
  afterAll(async () => {
    replaceSettings(settings);
    await gateway.stop();
  });
  const insertSms = (count: number, columns: Record<string, unknown> = {}) =>
    insertMessages(count, { channel: "sms", recipient: "61412345678", dueAt: ago(minute), ...columns });

  test("is tried with one SMS after another from the hundredth on, and the outage is logged once", async () => {
    await insertSms(30);
    const worker = startWorker(appUrl, { spacingMs: 0 });
    await until(async () => gateway.requests.length >= 12);
    // A second batch would have brought them to twenty.
    expect((await sql("SELECT FROM message_attempts")).length).toBeLessThan(20);
    jest.spyOn(Date, "now").mockReturnValue(Date.now() + 600_000);
    await until(async () => outageLines().length > 0);
    gateway.respondWith({});
    await until(async () => outageLines().length > 1);
    await worker.stop();
    const sms = { channel: "sms", minutes: 10 };
    expect(outageLines()).toEqual([
      expect.objectContaining({ ...sms, level: 40, provider: "unreachable", reason: "HTTP 502" }),
      expect.objectContaining({ ...sms, level: 30, provider: "reachable" }),
    ]);
  });

  test("is still tried with a single SMS after one that was cancelled", async () => {
    await insertSms(10, { dueAt: ago(3 * minute) });
    // An erasure leaves an empty recipient.
    await insertSms(1, { dueAt: ago(2 * minute), recipient: "" });
    await insertSms(10);
    const worker = startWorker(appUrl, { spacingMs: 0 });
    await until(async () => gateway.requests.length > 10);
    await worker.stop();
    expect(gateway.requests).toHaveLength(11);
    trackOutage("sms", [{ state: "sent" }]);
  });
});

test("a confirmation that its server always defers does not hold up the invitations behind it", async () => {
  const onRcptTo: SMTPServerOptions["onRcptTo"] = ({ address }, _, callback) =>
    callback(address.startsWith("full") ? refusal(421, "4.4.2 later") : null);
  const mail = await startMailServer({ onRcptTo }, mailPort);
  await insertMessage({ kind: "confirmation", recipient: "full@mail.example" });
  // Without an application, an invitation is not checked and has no link.
  await insertMessages(25, { kind: "invitation", dueAt: ago(minute) });
  const worker = startWorker(appUrl, { spacingMs: 0 });
  await until(async () => (await sql("SELECT FROM messages WHERE state = 'sent'")).length === 25);
  await worker.stop();
  await mail.stop();
  expect(await sql("SELECT kind, error FROM messages WHERE state <> 'sent'")).toEqual([
    { kind: "confirmation", error: "421 4.4.2" },
  ]);
});

const reported = { time: expect.any(String), channel: "sms", since: expect.any(String) };
const warning = { level: 40, ...reported, provider: "unreachable", reason: "ECONNREFUSED" };
const isBack = { level: 30, ...reported, provider: "reachable" };

/** Moves the clock of this process forward, and reports. The clock of the database is unchanged. */
async function reportAfter(minutes: number, channel: "sms" | "webhook" | "email" = "sms"): Promise<void> {
  const now = Date.now() + minutes * 60_000;
  jest.spyOn(Date, "now").mockReturnValue(now);
  await reportOutage(prisma(), channel);
}

/** Inserts a message that has been due for an hour. */
function insert(state: "waiting" | "sent" | "unknown", columns: Record<string, unknown> = {}) {
  const sentAt = state === "waiting" ? null : new Date();
  return insertMessage({ channel: "sms", state, sentAt, dueAt: ago(hour), firstDueAt: ago(hour), ...columns });
}
const away = providerUnavailable("ECONNREFUSED");
const unknown: Outcome = { state: "unknown", error: "no response" };
const refused: Outcome = { state: "failed", error: "HTTP 400 21211" };
/** Ends an outage, which would otherwise last until the next test. */
afterEach(() => {
  for (const channel of ["email", "sms", "webhook"] as const) trackOutage(channel, [{ state: "sent" }]);
});

test("a short outage, one that another process saw end, and one without waiting messages are not logged", async () => {
  trackOutage("sms", [away]);
  trackOutage("sms", [refused]);
  await reportAfter(11);

  trackOutage("sms", [away]);
  await insert("waiting", { error: "ECONNREFUSED" });
  await insert("sent");
  await reportAfter(11);

  trackOutage("sms", [away]);
  await sql("DELETE FROM messages");
  await reportAfter(11);
  expect(outageLines()).toEqual([]);
});

test("an outage is logged after ten minutes, then every ten minutes, and when the provider responds", async () => {
  trackOutage("sms", [away]);
  await insert("waiting", { error: "ECONNREFUSED" });
  await insert("unknown");
  await reportAfter(11);
  expect(outageLines()).toEqual([{ ...warning, minutes: 11 }]);
  await reportAfter(9);
  expect(outageLines()).toHaveLength(1);
  await reportAfter(1);
  expect(outageLines().slice(1)).toEqual([{ ...warning, minutes: 21 }]);
  trackOutage("sms", [{ state: "sent" }]);
  expect(outageLines().slice(2)).toEqual([{ ...isBack, minutes: 21 }]);
});

test("an SMS provider that names a retry time counts as unavailable until then", async () => {
  await insert("waiting", { error: "HTTP 429" });
  trackOutage("sms", [providerUnavailable("HTTP 503", 3600)]);
  trackOutage("sms", [providerUnavailable("HTTP 429", 60)]);
  await reportAfter(10);
  expect(outageLines()).toEqual([{ ...warning, reason: "HTTP 429", minutes: 10 }]);
});

test("a failing webhook receiver counts as unavailable, a mail server that defers a message does not", async () => {
  const errors = { webhook: "HTTP 500", email: "450 4.2.1" };
  for (const channel of ["webhook", "email"] as const) {
    await insert("waiting", { channel, error: errors[channel] });
    trackOutage(channel, [away]);
    trackOutage(channel, [later(errors[channel])]);
  }
  await reportAfter(10, "webhook");
  await reportAfter(0, "email");
  expect(outageLines()).toEqual([{ ...warning, channel: "webhook", reason: "HTTP 500", minutes: 10 }]);
});

test("messages that wait for another reason do not turn one unknown message into an outage", async () => {
  await insert("unknown");
  // A full mailbox, and an invitation behind the daily cap.
  await insert("waiting", { error: "450 4.2.1" });
  await insert("waiting", { firstDueAt: null });
  trackOutage("sms", [unknown]);
  await reportAfter(11);
  expect(outageLines()).toEqual([]);

  trackOutage("sms", [unknown]);
  await sql(`INSERT INTO message_attempts ("messageId", error) SELECT id, 'no response' FROM messages LIMIT 1`);
  await reportAfter(11);
  expect(outageLines()).toEqual([{ ...warning, reason: "no response", minutes: 11 }]);
});

test.each<[string, Outcome[]]>([
  ["refuses a message", [...Array<Outcome>(maxUnknown).fill(unknown), refused]],
  ["was not contacted", [...Array<Outcome>(maxUnknown).fill(workerEnded), { state: "cancelled", error: "stopped" }]],
])("a provider that %s is not in an outage", (_, outcomes) => {
  trackOutage("sms", outcomes);
  expect(isPaused("sms")).toBe(false);
});

test("an outage that was logged lasts until a message is sent, also while its messages wait for business hours", async () => {
  trackOutage("sms", [away]);
  await insert("waiting", { error: "ECONNREFUSED" });
  await reportAfter(10);
  await sql(
    `UPDATE messages SET error = 'outside business hours', "firstDueAt" = NULL, "dueAt" = now() + interval '16 hours'`,
  );
  await reportAfter(10);
  expect(outageLines()).toEqual([{ ...warning, minutes: 10 }]);
  await insert("sent");
  await reportAfter(10);
  expect(outageLines().slice(1)).toEqual([{ ...isBack, minutes: 30 }]);
});
