import { setTimeout as sleep } from "node:timers/promises";
import { freePort, untilHealthy } from "@/__tests__/support/processes/app";
import { slowest } from "@/__tests__/support/processes/figures";
import { expect } from "./support/expect";
import { startLoad } from "./support/load";
import { promise } from "./support/world";

const settings = { RATE_LIMIT_FACTOR: "1000", LOG_LEVEL: "silent" };

promise(6, async ({ start, sql, postgres }) => {
  const port = await freePort();
  let app = await start({ port, settings });
  const load = await startLoad(app, 8);
  const ofApp: number[] = [];
  for (let kill = 0; kill < 20; kill += 1) {
    await sleep(150 + Math.random() * 350);
    await app.end("SIGKILL");
    const begun = performance.now();
    app = await start({ port, settings });
    ofApp.push(performance.now() - begun);
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
  expect(load.acknowledged() > 100, `only ${load.acknowledged()} saves were acknowledged: that is no load`);
  await load.expectNoneLost(sql);
  const worst = [slowest(ofApp), slowest(ofPostgres)].map(Math.round);
  expect(Math.max(...worst) <= 5000, `healthy again after ${worst.join(" and ")} ms`);
  return `20 × kill -9 of the app, 5 × of Postgres under load (${load.acknowledged()} saves acknowledged, ${load.unanswered} cut off): 0 lost; healthy again within ${worst.join(" and ")} ms`;
});
