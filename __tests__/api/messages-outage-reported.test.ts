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
  expect(reported()).toEqual([]);

  trackOutage("sms", away);
  await insert("waiting");
  trackOutage("sms", { state: "unknown", error: "no response" });
  await insert("unknown");
  await reportAfter(11);
  expect(reported()).toEqual([{ ...warning, minutes: 11 }]);
  await reportAfter(9);
  expect(reported()).toHaveLength(1);
  await reportAfter(1);
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
  await reportAfter(10);
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
  await reportAfter(10, "webhook");
  await reportAfter(0, "email");
  expect(reported()).toEqual([{ ...warning, channel: "webhook", reason: "HTTP 500", minutes: 10 }]);
});
