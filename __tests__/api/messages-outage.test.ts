import { setTimeout as sleep } from "node:timers/promises";
import { freshDatabase } from "@/__tests__/support/database";
import { lines } from "@/__tests__/support/log-lines";
import { refusal, startMailServer } from "@/__tests__/support/mail-server";
import { freePort } from "@/__tests__/support/processes/app";
import { startReceiver } from "@/__tests__/support/receiver";
import { until } from "@/__tests__/support/until";
import { prisma } from "@/lib/server/db/client";
import { oldestDueSeconds } from "@/lib/server/db/statements";
import { startWorker } from "@/lib/server/messages/worker";

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
let hookPort: number;
beforeAll(async () => {
  mailPort = await freePort();
  hookPort = await freePort();
  Object.assign(process.env, {
    SMTP_URL: `smtp://127.0.0.1:${mailPort}`,
    WEBHOOK_URL: `http://127.0.0.1:${hookPort}/hooks`,
    WEBHOOK_SECRET: `whsec_${"a".repeat(32)}`,
    SANDBOX_RECIPIENTS: "*",
  });
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

test("an outage of mail server and receiver is logged once each after ten minutes, and when it ends", async () => {
  await insertMessage({ recipient: "a@mail.example" });
  await insertMessage({ channel: "webhook", recipient: "" });
  const worker = startWorker(appUrl, { spacingMs: 0 });
  const tried = (channel: string) => logged().some((line) => line.channel === channel && line.outcome === "later");
  await until(async () => tried("email") && tried("webhook"));
  await sleep(1500);
  expect(outageLines()).toEqual([]);
  // Moves the clock of this process forward; the clock of the database is unchanged.
  const tenMinutesLater = Date.now() + 600_000;
  jest.spyOn(Date, "now").mockReturnValue(tenMinutesLater);
  await until(async () => outageLines().length >= 2);
  await sleep(2500);
  const unreachable = { level: 40, provider: "unreachable", reason: "ECONNREFUSED", minutes: 10 };
  expect(outageLines().toSorted((a, b) => a.channel.localeCompare(b.channel))).toEqual([
    expect.objectContaining({ ...unreachable, channel: "email" }),
    expect.objectContaining({ ...unreachable, channel: "webhook" }),
  ]);
  const mail = await startMailServer({}, mailPort);
  const receiver = await startReceiver(hookPort);
  await sql(`UPDATE messages SET "dueAt" = now()`);
  await until(async () => outageLines().length >= 4);
  expect(outageLines().slice(2)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ level: 30, channel: "email", provider: "reachable" }),
      expect.objectContaining({ level: 30, channel: "webhook", provider: "reachable" }),
    ]),
  );
  expect(lines.join()).not.toContain("mail.example");
  await worker.stop();
  await mail.stop();
  await receiver.close();
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
