import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, same } from "@/__tests__/lab/promises/support/expect";
import { startLoad } from "@/__tests__/lab/promises/support/load";
import { type ProxyName, startReverseProxy } from "@/__tests__/lab/promises/support/reverse-proxies";
import { promise, type World } from "@/__tests__/lab/promises/support/world";
import { type App, untilHealthy } from "@/__tests__/support/processes/app";
import { send } from "@/__tests__/support/processes/call";
import { tally } from "@/__tests__/support/processes/figures";
import { listen } from "@/__tests__/support/tcp-server";

const restarts = 10;
const perSecond = 100;
const writers = 40;
/** How often the script of each version is requested. */
const scripts = 10;

/** The shutdown delay is longer than the second in which HAProxy notices that a process is not ready. */
const settings = { RATE_LIMIT_FACTOR: "1000", LOG_LEVEL: "silent", SHUTDOWN_DELAY_MS: "1500" };

async function restartAll(apps: App[], start: World["start"]): Promise<void> {
  for (let n = 0; n < restarts; n += 1) {
    const which = n % apps.length;
    const port = apps[which]?.port;
    same(await apps[which]?.end("SIGTERM"), 0, "exit code of a restarted process");
    apps[which] = await start({ settings, port });
    // HAProxy sends a restarted process no requests before its first health check.
    await sleep(700);
  }
}

/** Restarts the apps in turn while saves go through the proxy, and expects that no save fails or is lost. */
async function underLoad(name: ProxyName, apps: [App, App], { start, sql, after }: World): Promise<string> {
  const proxy = await startReverseProxy(name, [apps[0].port, apps[1].port]);
  after(proxy.stop);
  const target = { url: `https://127.0.0.1:${proxy.port}` };
  await untilHealthy(target);
  const load = await startLoad(target, writers, (1000 * writers) / perSecond);
  const begun = performance.now();
  await restartAll(apps, start);
  const seconds = (performance.now() - begun) / 1000;
  await load.stop();
  const { statuses, unanswered } = load;
  same([tally(statuses), unanswered], [`${statuses.length} × 200`, 0], `saves through ${name}`);
  await load.expectNoneLost(sql);
  const rate = statuses.length / seconds;
  expect(rate >= 0.95 * perSecond, `only ${Math.round(rate)} saves a second through ${name}`);
  return `${statuses.length} saves through ${name} in ${Math.round(seconds)} s`;
}

/** Starts a server that stands in for one version of the app: it has its own script, and lacks every other. */
async function startVersion(script: string, after: World["after"]): Promise<number> {
  const server = createServer(({ url = "" }, response) =>
    response.writeHead(url === script || url.startsWith("/api/") ? 200 : 404).end(),
  );
  after(() => server.close());
  return listen(server);
}

/** Requests the scripts of two versions that run side by side, as during an upgrade, and expects every one. */
async function duringUpgrade(name: ProxyName, { after }: World): Promise<void> {
  const [older, newer] = ["/_next/static/older.js", "/_next/static/newer.js"];
  const proxy = await startReverseProxy(name, [await startVersion(older, after), await startVersion(newer, after)]);
  after(proxy.stop);
  const target = { url: `https://127.0.0.1:${proxy.port}` };
  await untilHealthy(target);
  const statusesOf = async (path: string) => {
    const statuses: number[] = [];
    for (let n = 0; n < scripts; n += 1) statuses.push((await send(target, path, {})).status);
    return tally(statuses);
  };
  const found = [await statusesOf(older), await statusesOf(newer)];
  same(found, [`${scripts} × 200`, `${scripts} × 200`], `scripts of two versions through ${name}`);
  same(await statusesOf("/_next/static/unknown.js"), `${scripts} × 404`, `a script of neither through ${name}`);
}

promise(55, async (world) => {
  const apps: [App, App] = [await world.start({ settings }), await world.start({ settings })];
  // This test's proxies have a self-signed certificate.
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
  world.after(() => delete process.env.NODE_TLS_REJECT_UNAUTHORIZED);
  const results = [await underLoad("nginx", apps, world), await underLoad("haproxy", apps, world)];
  for (const name of ["nginx", "haproxy"] as const) await duringUpgrade(name, world);
  return `two processes, one restarted after the other ${restarts} times under ${perSecond} saves a second: ${results.join(", ")}, 0 failed, 0 lost; during an upgrade each of two versions' scripts is found ${scripts} of ${scripts} times`;
});
