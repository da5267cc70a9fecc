import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { same } from "@/__tests__/lab/promises/support/expect";
import { on } from "@/__tests__/lab/promises/support/new-server";
import { openMessagingSetup } from "@/__tests__/lab/promises/support/sending";
import type { World } from "@/__tests__/lab/promises/support/world";
import { invited } from "@/__tests__/support/invited";
import { refusal, startMailServer } from "@/__tests__/support/mail-server";
import { freePort } from "@/__tests__/support/processes/app";
import { call, newAddress, send, submit } from "@/__tests__/support/processes/call";
import { runConcurrently } from "@/__tests__/support/processes/run-concurrently";
import { until } from "@/__tests__/support/until";
import { withConnection } from "@/lib/server/db/connection";

const rules = "docs/deploy/alerts.yml";
/** Tests of the rules with their real windows, which are longer than the faults of this drill. */
const ruleTests = "__tests__/lab/drill/alerts-test.yml";
const timeoutMs = 60_000;

/** The rules with seconds in place of minutes, hours and days, on any day of the week. */
function withShortWindows(): string {
  return readFileSync(rules, "utf8")
    .replaceAll(/\[(5m|1h|1d)\]|offset 1d/g, (text) => (text.startsWith("[") ? "[15s]" : "offset 15s"))
    .replaceAll("[15m]", "[60s]")
    .replaceAll("for: 5m", "for: 1s")
    .replace("> 900", "> 3")
    .replace("> 300", "> 3")
    .replace(/> [12]0\n/g, "> 0\n")
    .replaceAll("day_of_week()", "vector(3)");
}

type Setup = Awaited<ReturnType<typeof openSetup>>;
type Fault = (setup: Setup, untilFiring: () => Promise<void>) => Promise<void>;

/** A transaction locks a table that every call reads, while callers keep calling. */
const locked: Fault = async ({ app, messaging }, untilFiring) => {
  const applicants = await on(messaging.owner, () => runConcurrently(40, 4, () => invited()));
  await withConnection(messaging.owner, async (client) => {
    await client.query("BEGIN; LOCK TABLE links IN ACCESS EXCLUSIVE MODE");
    let isOver = false;
    const visit = async (token: string) => {
      while (!isOver) await call(app, "verify-token", { token, source: "ba" }, { "x-forwarded-for": newAddress() });
    };
    const visits = Promise.all(applicants.map(({ token }) => visit(token)));
    await untilFiring().finally(() => {
      isOver = true;
    });
    await visits;
  });
};

/** The faults that cause each alert. Each function repairs what would stay broken. */
const faults: Record<string, Fault | Fault[]> = {
  RentAdvanceDown: [
    async ({ world, prometheus }, untilFiring) => {
      await world.postgres.stop();
      await untilFiring();
      // The alert has to come from the process's own report, not from Prometheus failing to reach the process.
      same(await prometheus.query("min(up)"), ["1"], "processes that are up while the database is unavailable");
      await world.postgres.start();
    },
    async ({ worker }, untilFiring) => {
      await worker.end("SIGKILL");
      await untilFiring();
      await worker.start();
    },
  ],
  RentAdvanceRestarts: async ({ worker }, untilFiring) => {
    for (let n = 0; n < 6; n += 1) {
      await worker.end("SIGKILL");
      await worker.start();
      // Gives Prometheus time to see each restart.
      await sleep(5000);
    }
    await untilFiring();
  },
  RentAdvanceErrors: locked,
  RentAdvanceSlow: locked,
  RentAdvancePoolExhausted: locked,
  RentAdvanceNoSubmissions: (_, untilFiring) => untilFiring(),
  RentAdvancePolicyReports: async ({ app }, untilFiring) => {
    const body = JSON.stringify({ "csp-report": { "effective-directive": "script-src-elem" } });
    const headers = { "content-type": "application/csp-report" };
    for (let n = 0; n < 400; n += 1) {
      const from = { ...headers, "x-forwarded-for": newAddress() };
      await send(app, "/api/csp-report", { method: "POST", headers: from, body });
      await sleep(20);
    }
    await untilFiring();
  },
  RentAdvanceMessagesWait: async ({ messaging, worker }, untilFiring) => {
    await worker.end("SIGTERM");
    await messaging.enqueueTests(1);
    await untilFiring();
    await worker.start();
  },
  RentAdvanceMailboxUnreadable: async ({ worker }, untilFiring) => {
    await worker.end("SIGTERM");
    await worker.start({ BOUNCES_IMAP_URL: `imap://bounces:secret@127.0.0.1:${await freePort()}/` });
    await untilFiring();
    await worker.end("SIGTERM");
    await worker.start();
  },
  RentAdvanceMessagesFail: async ({ messaging }, untilFiring) => {
    await messaging.sql(
      "INSERT INTO messages (kind, channel, recipient) VALUES ('test', 'email', 'nobody@mail.example')",
    );
    await untilFiring();
  },
  RentAdvanceEvidenceFails: async ({ messaging }, untilFiring) => {
    await messaging.sql("ALTER TABLE evidence_pending RENAME TO elsewhere");
    await untilFiring().finally(() => messaging.sql("ALTER TABLE elsewhere RENAME TO evidence_pending"));
  },
  RentAdvanceFreshLinksWait: async ({ messaging, worker }, untilFiring) => {
    await worker.end("SIGTERM");
    await messaging.sql(`INSERT INTO fresh_link_requests ("tokenHash") VALUES ('\\x00')`);
    await untilFiring();
    await worker.start();
  },
};

async function startPrometheus(world: World, targets: string[]) {
  const folder = world.folder();
  const config = {
    // While the database does not answer, a scrape takes as long as a call.
    global: { scrape_interval: "4s", scrape_timeout: "4s", evaluation_interval: "1s" },
    rule_files: [join(folder, "alerts.yml")],
    scrape_configs: [{ job_name: "rent-advance", static_configs: [{ targets }] }],
  };
  writeFileSync(join(folder, "alerts.yml"), withShortWindows());
  // JSON is valid YAML.
  writeFileSync(join(folder, "prometheus.yml"), JSON.stringify(config));
  const address = `127.0.0.1:${await freePort()}`;
  const files = [`--config.file=${folder}/prometheus.yml`, `--storage.tsdb.path=${folder}/data`];
  const child = spawn("/usr/bin/prometheus", [...files, `--web.listen-address=${address}`], { stdio: "ignore" });
  const ended = once(child, "exit");
  world.after(() => child.kill("SIGKILL") && ended);
  /** Resolves with the values of an expression. */
  const query = async (expression: string): Promise<string[]> => {
    const path = `http://${address}/api/v1/query?query=${encodeURIComponent(expression)}`;
    const response = await fetch(path).catch(() => null);
    const found: { value: [number, string] }[] = response?.ok ? (await response.json()).data.result : [];
    return found.map(({ value: [, value] }) => value);
  };
  const reachesAll = async () => Number((await query("sum(up)"))[0]) === targets.length;
  await until(reachesAll, timeoutMs, "Prometheus did not reach every process");
  const isFiring = async (alert: string) =>
    (await query(`ALERTS{alertname="${alert}",alertstate="firing"}`)).length > 0;
  return {
    query,
    untilFiring: (alert: string) => until(() => isFiring(alert), timeoutMs, `${alert} did not fire`),
    untilQuiet: (alert: string) =>
      until(async () => !(await isFiring(alert)), timeoutMs, `${alert} did not become quiet`),
  };
}

/** Starts an app, a worker and Prometheus, with a mail server that refuses nobody@mail.example. */
async function openSetup(world: World) {
  const mail = await startMailServer({
    onRcptTo: ({ address }, _, callback) =>
      callback(address.startsWith("nobody") ? refusal(550, "5.1.1 no such mailbox") : null),
  });
  world.after(mail.stop);
  const messaging = await openMessagingSetup(world, "alerts");
  const [appPort, workerPort] = [await freePort(), await freePort()];
  const settings = { LOG_LEVEL: "silent", WORKER: "off", DATABASE_POOL_SIZE: "5" };
  const app = await messaging.start({ ...settings, METRICS_PORT: String(appPort) });
  let child: ChildProcess;
  const worker = {
    async start(changes = {}) {
      child = await messaging.worker({ SMTP_URL: mail.url, METRICS_PORT: String(workerPort), ...changes });
    },
    async end(signal: NodeJS.Signals) {
      child.kill(signal);
      await once(child, "exit");
    },
  };
  await worker.start();
  const prometheus = await startPrometheus(world, [`127.0.0.1:${appPort}`, `127.0.0.1:${workerPort}`]);
  return { world, messaging, app, worker, prometheus };
}

/** Causes the faults of each alert in docs/deploy/alerts.yml and yields when it fired. Throws an error if it does not fire. */
export async function* drillAlerts(world: World): AsyncGenerator<string> {
  const named = [...readFileSync(rules, "utf8").matchAll(/alert: (\w+)/g)].map(([, name]) => name);
  same(Object.keys(faults), named, "alerts with a fault");
  execFileSync("promtool", ["test", "rules", ruleTests], { stdio: "inherit" });
  yield `the rules' own windows and limits hold in ${readFileSync(ruleTests, "utf8").match(/- name:/g)?.length} tests of promtool`;
  const setup = await openSetup(world);
  for (const [alert, causes] of Object.entries(faults))
    for (const cause of [causes].flat()) {
      if (alert === "RentAdvanceNoSubmissions")
        await submit(setup.app, (await on(setup.messaging.owner, () => invited())).token);
      await setup.prometheus.untilQuiet(alert);
      const begun = performance.now();
      await cause(setup, async () => void (await setup.prometheus.untilFiring(alert)));
      yield `${alert} fired ${((performance.now() - begun) / 1000).toFixed(1)} s after its fault began`;
    }
}
