import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { callCommand } from "@/__tests__/support/call-command";
import { freshDatabase } from "@/__tests__/support/database";
import { startMailServer } from "@/__tests__/support/mail-server";
import { freePort } from "@/__tests__/support/processes/app";
import { program } from "@/__tests__/support/program";
import { startReceiver } from "@/__tests__/support/receiver";
import { until } from "@/__tests__/support/until";
import { withDatabase } from "@/lib/cli/shared/command";
import { currentSettings } from "@/lib/server/settings";

jest.mock("@/lib/cli/shared/command", () => ({
  ...jest.requireActual("@/lib/cli/shared/command"),
  withDatabase: jest.fn(),
}));

const { appUrl, sql } = freshDatabase();
beforeEach(() => sql("DELETE FROM message_attempts; DELETE FROM messages"));

/** Starts `npm run worker` as its own process. */
function startWorker(settings: Record<string, string>) {
  const args = program("lib/cli/messages/worker.ts");
  const env = { ...process.env, DATABASE_URL: appUrl, ...settings };
  return spawn(process.execPath, args, { env, stdio: "ignore" });
}

test("a second signal does not interrupt the message that is being sent", async () => {
  const receiver = await startReceiver();
  const received = receiver.nextRequest();
  let finish = () => {};
  receiver.respondWith((response) => {
    finish = () => response.writeHead(204).end();
  });
  await sql("INSERT INTO messages (kind, channel) VALUES ('link.opened', 'webhook')");
  const WEBHOOK_SECRET = `whsec_${Buffer.alloc(24).toString("base64")}`;
  const worker = startWorker({ WEBHOOK_URL: receiver.url, WEBHOOK_SECRET });
  const ended = once(worker, "exit");
  try {
    await received;
    // A terminal signals npm and the worker, and npm signals the worker again.
    for (const _ of [1, 2]) {
      worker.kill("SIGINT");
      await sleep(200);
    }
    finish();
    expect(await ended).toEqual([0, null]);
    expect(await sql("SELECT state FROM messages")).toEqual([{ state: "sent" }]);
  } finally {
    worker.kill("SIGKILL");
    await receiver.stop();
  }
});

test.each([
  ["worker", [], "the app's time limit", 1500],
  ["messages", ["list"], "a longer one, because a statement may concern many rows", 30_000],
])("%s %j has %s for the database", async (name, args, _, limit) => {
  let found = 0;
  jest.mocked(withDatabase).mockImplementation(async () => {
    found = currentSettings().DATABASE_TIMEOUT_MS;
  });
  await callCommand(name, args, { DATABASE_URL: appUrl, DATABASE_TIMEOUT_MS: "" });
  expect(found).toBe(limit);
});

test("'npm run worker' serves what it has sent, and how long the oldest message waits", async () => {
  const mail = await startMailServer();
  const port = await freePort();
  await sql("INSERT INTO messages (kind, channel, recipient) VALUES ('test', 'email', 'a@mail.example')");
  const worker = startWorker({ SMTP_URL: mail.url, SANDBOX_RECIPIENTS: "*", METRICS_PORT: String(port) });
  const request = () => fetch(`http://127.0.0.1:${port}/metrics`).then((response) => response.text());
  const scrape = () => request().catch(() => "");
  const count = (labels: string, value: number) => `rent_advance_messages_total{${labels}} ${value}`;
  try {
    await until(async () => (await scrape()).includes(count('channel="email",kind="test",outcome="sent"', 1)));
    expect(await scrape()).toMatch(/^rent_advance_oldest_message_due_seconds 0$/m);
    // Series begin at 0, since Prometheus sees no increase in a series that begins at 1, and would raise no alert.
    for (const outcome of ["failed", "unknown"])
      expect(await scrape()).toContain(count(`channel="sms",kind="not-you",outcome="${outcome}"`, 0));
  } finally {
    worker.kill("SIGTERM");
    // Prometheus keeps scraping on its open connection, which must not delay the shutdown.
    const scraping = setInterval(scrape, 200);
    await Promise.race([once(worker, "exit"), sleep(15_000, undefined, { ref: false })]);
    clearInterval(scraping);
    worker.kill("SIGKILL");
    await mail.stop();
  }
  expect([worker.exitCode, worker.signalCode]).toEqual([0, null]);
});
