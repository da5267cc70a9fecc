import { setTimeout as sleep } from "node:timers/promises";
import type { App } from "@/__tests__/support/processes/app";
import { untilHealthy } from "@/__tests__/support/processes/app";
import { tally } from "@/__tests__/support/processes/figures";
import { expect, same } from "./support/expect";
import { startLoad } from "./support/load";
import { startReverseProxy } from "./support/reverse-proxies";
import type { Promised } from "./support/world";

const restarts = 10;
const perSecond = 100;
const writers = 40;

/** Long enough for HAProxy's two checks. */
const settings = { RATE_LIMIT_FACTOR: "1000", LOG_LEVEL: "silent", SHUTDOWN_DELAY_MS: "2500" };

const rolling: Promised = {
  number: 55,
  async prove({ start, sql }) {
    const apps: [App, App] = [await start({ settings }), await start({ settings })];
    const ports: [number, number] = [apps[0].port, apps[1].port];
    const proxies = [await startReverseProxy("nginx", ports), await startReverseProxy("haproxy", ports)];
    // The certificate is the test's own.
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
    try {
      const loads = [];
      for (const { port } of proxies) {
        const target = { url: `https://127.0.0.1:${port}` };
        await untilHealthy(target);
        loads.push(await startLoad(target, writers, (1000 * writers) / perSecond));
      }
      const begun = performance.now();
      for (let n = 0; n < restarts; n += 1) {
        const which = n % 2;
        same(await apps[which]?.end("SIGTERM"), 0, "exit code of a restarted process");
        apps[which] = await start({ settings, port: ports[which] });
        // HAProxy sends nothing to it before it has checked once.
        await sleep(1500);
      }
      const seconds = (performance.now() - begun) / 1000;
      const found: string[] = [];
      for (const [n, load] of loads.entries()) {
        await load.stop();
        const name = proxies[n]?.name;
        same([tally(load.statuses), load.unanswered], [`${load.statuses.length} × 200`, 0], `saves through ${name}`);
        same(await load.lost(sql), [], "acknowledged saves that were lost");
        found.push(`${name} ${load.statuses.length}`);
        const rate = load.statuses.length / seconds;
        expect(rate >= 0.95 * perSecond, `only ${Math.round(rate)} saves a second through ${name}`);
      }
      return `two processes, one restarted after the other ${restarts} times in ${Math.round(seconds)} s, under 100 saves a second through each: ${found.join(" and ")} saves, 0 failed, 0 lost`;
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      for (const proxy of proxies) await proxy.stop();
      for (const app of apps) await app.end("SIGTERM");
    }
  },
};

export const rollingRestarts = [rolling];
