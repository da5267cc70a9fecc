import { setTimeout as sleep } from "node:timers/promises";
import { expect, same } from "@/__tests__/lab/promises/support/expect";
import { startLoad } from "@/__tests__/lab/promises/support/load";
import { on } from "@/__tests__/lab/promises/support/new-server";
import { openMailServer, openMessagingSetup, timesOf, unsent } from "@/__tests__/lab/promises/support/sending";
import type { World } from "@/__tests__/lab/promises/support/world";
import { landlord } from "@/__tests__/support/answers";
import { invited } from "@/__tests__/support/invited";
import { isHealthy } from "@/__tests__/support/processes/app";
import { call } from "@/__tests__/support/processes/call";
import { slowest } from "@/__tests__/support/processes/figures";
import type { Server } from "@/__tests__/support/processes/servers";
import { startSmsGateway } from "@/__tests__/support/sms-gateway";
import { until } from "@/__tests__/support/until";
import { withConnection } from "@/lib/server/db/connection";
import { applyMigrations } from "@/lib/server/db/migrations";
import { query, startCluster } from "./cluster";

const failures: ("kill -9" | "SIGSTOP")[] = [...Array(20).fill("kill -9"), ...Array(5).fill("SIGSTOP")];
const writers = 40;
const perSecond = 100;
const intervalMs = (1000 * writers) / perSecond;
/** The number of emails, and of SMS, enqueued just before each failure: 1,000 messages in all. */
const queued = 20;

/**
 * Loses the primary again and again while saves and messages are under way, and yields a sentence for each observation.
 * Throws Broken if an acknowledged save is lost, an SMS is sent twice, or the old primary accepts a write.
 */
export async function* drillFailover(world: World): AsyncGenerator<string> {
  const setup = await openSetup(world);
  for (const observe of [loseThePrimary, countMessages, loseTheStandby, fallBehind]) yield await observe(setup);
}

type Setup = Awaited<ReturnType<typeof openSetup>>;

async function openSetup(world: World) {
  const gateway = await startSmsGateway();
  world.after(gateway.stop);
  const mail = await openMailServer(world);
  const cluster = await startCluster(world);
  const createDatabase = () => applyMigrations(cluster.owner).then(() => cluster.owner);
  const messaging = await openMessagingSetup({ ...world, postgres: { createDatabase } }, "lender");
  await cluster.addStandby();
  const app = await messaging.start({ RATE_LIMIT_FACTOR: "1000", LOG_LEVEL: "silent", WORKER: "off" });
  const ready = await fetch(`${app.url}/api/ready`);
  same(await ready.json(), { status: "ready", commitsWaitForStandby: true }, "readiness with a synchronous standby");
  await messaging.worker({
    SMTP_URL: mail.url,
    SMS_PROVIDER: "generic",
    SMS_URL: gateway.url,
    SMS_FROM: "61400000000",
    SMS_BODY: '{"to":"+{to}","from":"{from}","text":"{text}","id":"{id}"}',
  });
  return { cluster, messaging, app, gateway, mail };
}

async function loseThePrimary({ cluster, messaging, app }: Setup): Promise<string> {
  const load = await on(messaging.owner, () => startLoad(app, writers, intervalMs));
  const promotions: number[] = [];
  const pauses: number[] = [];
  for (const failure of failures) {
    await sleep(500 + Math.random() * 500);
    await messaging.enqueueTests(queued, ["email", "sms"]);
    // The failure comes at a random moment while the messages are being sent.
    await sleep(Math.random() * 600);
    const failed = cluster.primary;
    if (failure === "SIGSTOP") failed.freeze();
    else await failed.kill();
    // Answers that were under way when the primary failed still arrive.
    await sleep(100);
    promotions.push(await cluster.promote());
    const before = load.acknowledged();
    pauses.push(await until(() => load.acknowledged() > before, 10_000, "no save was acknowledged", 2));
    await acceptsNothing(failed);
    await failed.stop();
    await cluster.addStandby();
  }
  await load.stop();
  await load.expectNoneLost(messaging.sql);
  const [promoted, resumed] = [Math.round(slowest(promotions)), Math.round(slowest(pauses))];
  expect(resumed <= 1000, `saves went on ${resumed} ms after a promotion`);
  return `primary lost ${failures.length} times (20 × kill -9, 5 × SIGSTOP) under ${perSecond} saves a second, with a synchronous standby: ${load.acknowledged()} saves acknowledged, 0 lost; promotions took at most ${promoted} ms, and saves went on within ${resumed} ms; the old primary acknowledged no write`;
}

/** Restarts the old primary, which knows of no other, and writes to it: the write must never be acknowledged. */
async function acceptsNothing(old: Server): Promise<void> {
  old.thaw();
  await old.start();
  // This statement needs no row that a hanging save has locked.
  const write = withConnection(old.urlOf("lender"), (client) => client.query("CREATE TABLE written_by_nobody ()"));
  const isAcknowledged = write.then(() => true).catch(() => false);
  await sleep(500);
  const hanging = "FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query LIKE 'CREATE TABLE written%'";
  const waiting = await query(old, `SELECT ${hanging}`);
  await old.kill();
  same(waiting.length, 1, "writes to the old primary that came as far as their commit");
  expect(!(await isAcknowledged), "the old primary acknowledged a write after the promotion");
}

async function countMessages({ messaging, gateway, mail }: Setup): Promise<string> {
  // An interrupted message is tried again after a minute, which this skips.
  await messaging.endLeases();
  await messaging.until("messages are not sent", unsent, 90);
  const count = failures.length * queued;
  const sent = gateway.requests.map(({ body }): string => JSON.parse(body).id);
  same(new Set(sent).size, sent.length, "different texts that the gateway was asked for");
  const [unknown = { count: 0 }] = await messaging.sql<{ count: number }>(
    "SELECT count(*)::int AS count FROM messages WHERE channel = 'sms' AND state = 'unknown'",
  );
  // An unknown SMS may not have reached the gateway. Every other SMS must have.
  expect(sent.length >= count - unknown.count, `${count - sent.length} SMS are lost, ${unknown.count} unknown`);
  const times = timesOf(mail.raw);
  same(times.length, count, "emails that arrived");
  const twice = times.filter((n) => n > 1).length;
  return `${2 * count} messages queued meanwhile: 0 lost, no SMS sent twice (${unknown.count} unknown, which are not tried again), ${twice} emails twice`;
}

/** Commits hang while the standby they wait for is gone. Calls and readiness report this, and both recover with it. */
async function loseTheStandby({ cluster, messaging, app }: Setup): Promise<string> {
  const { token } = await on(messaging.owner, () => invited());
  const save = () => call(app, "submit-step-1", { token, data: landlord });
  await cluster.standby.kill();
  const { status, milliseconds } = await save();
  same(status, 503, "status of a save while the standby is gone");
  expect(milliseconds < 5000, `the 503 came after ${milliseconds} ms`);
  const isReady = () => isHealthy(app, "/api/ready");
  const noticed = await until(async () => !(await isReady()), 10_000, "readiness did not notice");
  await cluster.standby.start();
  const recovered = await until(isReady, 20_000, "readiness did not recover");
  same((await save()).status, 200, "status of a save once the standby is back");
  return `without the standby a save got 503 after ${Math.round(milliseconds)} ms, and /api/ready 503 ${noticed} ms later; both were well ${recovered} ms after it was back`;
}

/** Counts the saves that are lost with an asynchronous standby, a quarter of a second behind when the primary is lost. */
async function fallBehind({ cluster, messaging, app }: Setup): Promise<string> {
  const rounds = 5;
  const behind = 250;
  let lost = 0;
  let acknowledged = 0;
  for (let round = 0; round < rounds; round += 1) {
    await cluster.standby.stop();
    await cluster.addStandby(false);
    const load = await on(messaging.owner, () => startLoad(app, writers, intervalMs));
    await sleep(1000);
    const killSender = await cluster.holdReplication();
    await sleep(behind);
    const failed = cluster.primary;
    await failed.kill();
    killSender();
    await sleep(100);
    const stopped = load.stop();
    await cluster.promote();
    await stopped;
    acknowledged += load.acknowledged();
    lost += await load.lost(messaging.sql);
    await failed.stop();
    await cluster.addStandby(false);
  }
  return `with an asynchronous standby ${behind} ms behind, ${rounds} × kill -9 lost ${lost} of ${acknowledged} acknowledged saves`;
}
