import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, same } from "@/__tests__/lab/promises/support/expect";
import { saveAtFixedRate } from "@/__tests__/lab/promises/support/load";
import {
  type MessagingSetup,
  openMailServer,
  openMessagingSetup,
  timesOf,
  unsent,
} from "@/__tests__/lab/promises/support/sending";
import { promise } from "@/__tests__/lab/promises/support/world";
import { freePort } from "@/__tests__/support/processes/app";
import { submit } from "@/__tests__/support/processes/call";
import { median, quantile, slowest } from "@/__tests__/support/processes/figures";
import { runConcurrently } from "@/__tests__/support/processes/run-concurrently";
import { until } from "@/__tests__/support/until";

const kills = 20;

promise(42, async (world) => {
  const server = await openMailServer(world);
  const messaging = await openMessagingSetup(world, "killed");
  await messaging.enqueueTests(1500);
  for (let kill = 0; kill < kills; kill += 1) {
    const worker = await messaging.worker({ SMTP_URL: server.url });
    const before = server.raw.length;
    // Kill the worker after it has sent some messages and while it is sending others.
    for (const end = Date.now() + 5000; server.raw.length < before + 20 && Date.now() < end; ) await sleep(2);
    worker.kill("SIGKILL");
    await once(worker, "exit");
    await messaging.endLeases();
  }
  const last = await messaging.worker({ SMTP_URL: server.url });
  await messaging.until("messages are not sent", unsent, 60);
  last.kill("SIGTERM");
  const [code] = await once(last, "exit");
  const times = timesOf(server.raw);
  const twice = times.filter((count) => count > 1);
  same(times.length, 1500, "messages that arrived");
  // A worker sends three emails concurrently, so each kill may cause at most three to be sent again.
  expect(twice.length <= kills * 3, `${twice.length} messages came twice`);
  same([code, Math.max(...times) <= 3], [0, true], "exit code of the last worker; at most three times");
  return `1,500 emails through ${kills} × kill -9 of the worker: 0 lost, ${twice.length} came again (three are under way at once), each with its Message-ID`;
});

const invite = async (messaging: MessagingSetup) =>
  JSON.parse((await messaging.command("invite", ["--json", "--mobile", "61412345678", "--allow-duplicates"])).out)
    .token as string;

promise(43, async (world) => {
  const port = await freePort();
  const messaging = await openMessagingSetup(world, "away");
  const app = await messaging.start({ SMTP_URL: `smtp://127.0.0.1:${port}`, STAFF_EMAILS: "ops@lender.example" });
  const submitted = await runConcurrently(40, 4, async () => submit(app, await invite(messaging)));
  await sleep(12_000);
  const [state] = await messaging.sql(`SELECT count(*)::int AS waiting ${unsent}`);
  same(state?.waiting, 80, "messages that wait");
  const server = await openMailServer(world, port);
  const took = await messaging.until("messages are not sent", unsent, 60);
  same([server.raw.length, Math.max(...timesOf(server.raw))], [80, 1], "messages that arrived, each once");
  await app.end("SIGTERM");
  const most = slowest(submitted.map(({ milliseconds }) => milliseconds));
  return `mail server away for 12 s: 40 submissions answered within ${Math.round(most)} ms, 80 messages waiting; all sent ${Math.round(took / 1000)} s after its return, each once`;
});

promise(45, async (world) => {
  const server = await openMailServer(world);
  const messaging = await openMessagingSetup(world, "together");
  await Promise.all([messaging.worker({ SMTP_URL: server.url }), messaging.worker({ SMTP_URL: server.url })]);
  await messaging.enqueueTests(1000);
  const took = await messaging.until("messages are not sent", unsent, 60);
  same([server.raw.length, Math.max(...timesOf(server.raw))], [1000, 1], "messages that arrived, each once");
  for (let n = 0; n < 20; n += 1) {
    await messaging.enqueueTests(1);
    await sleep(200);
  }
  await messaging.until("messages are not sent", unsent, 30);
  const waits = await messaging.sql<{ seconds: number }>(
    `SELECT extract(epoch FROM "sentAt" - "createdAt")::float AS seconds FROM messages ORDER BY number DESC LIMIT 20`,
  );
  const seconds = waits.map((wait) => wait.seconds);
  const p95 = quantile(seconds, 0.95);
  expect(p95 < 10, `due to sent: p95 ${p95} s`);
  return `two workers, 1,000 messages in ${(took / 1000).toFixed(1)} s: 0 twice; due to sent with idle workers: p95 ${p95.toFixed(1)} s`;
});

const pairs = 9;

/** Deletes the messages that are left. A deletion fails if a worker claims one of them meanwhile, so it is tried again. */
function deleteUnsent({ sql }: MessagingSetup): Promise<number> {
  const deletion = () => sql(`DELETE FROM message_attempts; DELETE ${unsent}`).then(() => true);
  return until(() => deletion().catch(() => false));
}

/** Runs `work` while 1,000 messages are sent. The pauses exclude the load of inserting and deleting the messages. */
async function whileSending<T>(messaging: MessagingSetup, work: () => Promise<T>): Promise<T> {
  await messaging.enqueueTests(1000);
  await sleep(1500);
  const done = await work();
  await deleteUnsent(messaging);
  await sleep(1500);
  return done;
}

promise(51, async (world) => {
  const server = await openMailServer(world);
  const messaging = await openMessagingSetup(world, "beside_saves");
  const settings = { MESSAGES_PER_DAY: "100000", LOG_LEVEL: "silent", RATE_LIMIT_FACTOR: "1000" };
  const quiet = await messaging.start(settings);
  const sending = await messaging.start({ ...settings, SMTP_URL: server.url });
  const tokens = await runConcurrently(20, 2, () => invite(messaging));
  const round = async (app: typeof quiet) => {
    const responses = await saveAtFixedRate(app, 100, 3, tokens);
    same(new Set(responses.map(({ status }) => status)), new Set([200]), "statuses of saves");
    return responses.map(({ milliseconds }) => milliseconds);
  };
  await round(quiet);
  await round(sending);
  const ratios: Record<"median" | "p95", number[]> = { median: [], p95: [] };
  // Pairs alternate their order, so that a temporary slowdown affects both rounds of a pair, or only one pair of many.
  for (let pair = 0; pair < pairs; pair += 1) {
    const before = pair % 2 === 0 ? await round(quiet) : null;
    const beside = await whileSending(messaging, () => round(sending));
    const without = before ?? (await round(quiet));
    ratios.median.push(median(beside) / median(without));
    ratios.p95.push(quantile(beside, 0.95) / quantile(without, 0.95));
  }
  const [middle, p95] = [median(ratios.median), median(ratios.p95)];
  const figure = `median ${middle.toFixed(2)} ×, p95 ${p95.toFixed(2)} × (medians of ${pairs} alternating pairs)`;
  expect(middle <= 1.1 && p95 <= 1.5, `save times while messages are sent: ${figure}`);
  return `save times at 100 a second while 1,000 messages are due, against none: ${figure}`;
});

promise(53, async ({ connections }) => {
  const all = readFileSync(connections, "utf8").split("\n").filter(Boolean);
  const others = new Set(all.filter((line) => !line.startsWith("database ")));
  same(others, new Set(), "connections to anything but the database");
  return `without settings, over this whole run: ${all.length.toLocaleString("en")} connections of the app to its database, 0 to anything else`;
});
