import { setTimeout as sleep } from "node:timers/promises";
import { freePort, untilHealthy } from "@/__tests__/support/processes/app";
import { slowest } from "@/__tests__/support/processes/figures";
import { expect, same } from "./support/expect";
import { startLoad } from "./support/load";
import type { Promised } from "./support/world";

const settings = { RATE_LIMIT_FACTOR: "1000", LOG_LEVEL: "silent" };
const mostMilliseconds = 5000;

const crash: Promised = {
  number: 6,
  async prove({ start, sql, postgres }) {
    const port = await freePort();
    let app = await start({ port, settings });
    const load = await startLoad(app, 8);
    const recoveries: number[] = [];
    for (let kill = 0; kill < 20; kill += 1) {
      await sleep(150 + Math.random() * 350);
      await app.end("SIGKILL");
      const begun = performance.now();
      app = await start({ port, settings });
      recoveries.push(performance.now() - begun);
    }
    const ofPostgres: number[] = [];
    for (let kill = 0; kill < 5; kill += 1) {
      await sleep(300 + Math.random() * 400);
      await postgres.kill();
      const begun = performance.now();
      await postgres.start();
      await untilHealthy(app);
      ofPostgres.push(performance.now() - begun);
    }
    await sleep(300);
    await load.stop();
    await app.end("SIGTERM");
    const acknowledged = load.acknowledged();
    expect(acknowledged > 100, `only ${acknowledged} saves were acknowledged: that is no load`);
    same(await load.lost(sql), [], "acknowledged saves that were lost");
    const worst = { app: slowest(recoveries), postgres: slowest(ofPostgres) };
    expect(worst.app <= mostMilliseconds, `the app took ${Math.round(worst.app)} ms to be healthy again`);
    expect(worst.postgres <= mostMilliseconds, `after Postgres died it took ${Math.round(worst.postgres)} ms`);
    return `20 × kill -9 of the app, 5 × of Postgres under load (${acknowledged} saves acknowledged, ${load.unanswered} cut off): 0 lost; healthy again within ${Math.round(worst.app)} and ${Math.round(worst.postgres)} ms`;
  },
};

export const crashes = [crash];
