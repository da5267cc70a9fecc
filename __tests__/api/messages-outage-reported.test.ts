import { freshDatabase } from "@/__tests__/support/database";
import { lines } from "@/__tests__/support/log-lines";
import { prisma } from "@/lib/server/db/client";
import { reportOutage, trackOutage } from "@/lib/server/messages/outage";
import { providerUnavailable } from "@/lib/server/messages/outcome";

process.env.LOG_LEVEL = "info";
const { sql } = freshDatabase();
jest.mock("pino", () => require("@/__tests__/support/log-lines").pinoMock);

beforeEach(() => {
  lines.length = 0;
});
afterEach(() => jest.restoreAllMocks());

const reported = () => lines.map((line) => JSON.parse(line)).filter(({ provider }) => provider !== undefined);
const warning = {
  ...{
    level: 40,
    time: expect.any(String),
    channel: "sms",
    provider: "unreachable",
    reason: "ECONNREFUSED",
    since: expect.any(String),
  },
};

/** Moves the clock of this process forward; the clock of the database is unchanged. */
const minutesLater = (minutes: number) => {
  const now = Date.now() + minutes * 60_000;
  jest.spyOn(Date, "now").mockReturnValue(now);
};

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
  minutesLater(11);
  await reportOutage(prisma(), "sms");

  trackOutage("sms", away);
  await insert("waiting");
  await insert("sent");
  minutesLater(11);
  await reportOutage(prisma(), "sms");

  trackOutage("sms", away);
  await sql("DELETE FROM messages");
  minutesLater(11);
  await reportOutage(prisma(), "sms");
  expect(reported()).toEqual([]);

  trackOutage("sms", away);
  await insert("waiting");
  trackOutage("sms", { state: "unknown", error: "no answer" });
  await insert("unknown");
  minutesLater(11);
  await reportOutage(prisma(), "sms");
  expect(reported()).toEqual([{ ...warning, minutes: 11 }]);
  minutesLater(9);
  await reportOutage(prisma(), "sms");
  expect(reported()).toHaveLength(1);
  minutesLater(1);
  await reportOutage(prisma(), "sms");
  expect(reported().slice(1)).toEqual([{ ...warning, minutes: 21 }]);
  trackOutage("sms", { state: "sent" });
  expect(reported().slice(2)).toEqual([
    { ...warning, level: 30, provider: "reachable", minutes: 21, reason: undefined },
  ]);
});

test("an SMS provider that names a retry time counts as unavailable until then", async () => {
  await sql("DELETE FROM messages");
  await insert("waiting");
  trackOutage("sms", providerUnavailable("HTTP 503", 3600));
  trackOutage("sms", providerUnavailable("HTTP 429", 60));
  minutesLater(10);
  await reportOutage(prisma(), "sms");
  expect(reported()).toEqual([{ ...warning, reason: "HTTP 429", minutes: 10 }]);
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
  minutesLater(10);
  for (const channel of ["webhook", "email"] as const) await reportOutage(prisma(), channel);
  expect(reported()).toEqual([{ ...warning, channel: "webhook", reason: "HTTP 500", minutes: 10 }]);
});
