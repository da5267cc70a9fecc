import { setTimeout as sleep } from "node:timers/promises";
import { expect, same } from "@/__tests__/lab/promises/support/expect";
import { promise, type World } from "@/__tests__/lab/promises/support/world";
import { landlord } from "@/__tests__/support/answers";
import { invited } from "@/__tests__/support/invited";
import type { App } from "@/__tests__/support/processes/app";
import { call } from "@/__tests__/support/processes/call";
import { slowest, tally } from "@/__tests__/support/processes/figures";
import { runConcurrently } from "@/__tests__/support/processes/run-concurrently";
import { sendOnNewConnection } from "@/__tests__/support/processes/send-alone";

const crowd = [30, 100, 300];
const delayMs = 1000;
/** Probes are sent until this long before the end of the delay. */
const marginMs = 100;

/** Suspends the process, as if it were busy, so that all calls wait in the kernel when SIGTERM arrives. */
async function signalled(app: App, count: number, tokens: string[]) {
  process.kill(app.pid, "SIGSTOP");
  const calls = Array.from({ length: count }, (_, n) =>
    sendOnNewConnection(app, "/api/v1/user/submit-step-1", { token: tokens[n % tokens.length], data: landlord }),
  );
  await Promise.all(calls.map(({ written }) => written));
  process.kill(app.pid, "SIGTERM");
  const at = performance.now();
  process.kill(app.pid, "SIGCONT");
  return { outcomes: Promise.all(calls.map(({ outcome }) => outcome)), at };
}

async function round({ start }: World, count: number, isWarm: boolean, delay: number, tokens: string[]) {
  const settings = { SHUTDOWN_DELAY_MS: String(delay), DATABASE_TIMEOUT_MS: "15000", LOG_LEVEL: "silent" };
  const app = await start({ settings });
  if (isWarm) await runConcurrently(50, 10, (n) => call(app, "submit-step-1", { token: tokens[n], data: landlord }));
  const { outcomes, at } = await signalled(app, count, tokens);
  let code: number | null | undefined;
  const ended = app.end("SIGCONT").then((exitCode) => {
    code = exitCode;
  });
  const newcomers: Promise<string>[] = [];
  const ready: Promise<string>[] = [];
  for (; performance.now() - at < delay - marginMs; await sleep(20)) {
    newcomers.push(sendOnNewConnection(app, "/api/health").outcome);
    ready.push(sendOnNewConnection(app, "/api/ready").outcome);
  }
  const named = `${count} in flight, ${isWarm ? "warm" : "fresh"}, a delay of ${delay} ms`;
  // A request that was read before the signal was handled is answered with keep-alive.
  const statuses = (await outcomes).map((outcome) => outcome.replace(/ (close|keep-alive)$/, ""));
  same(tally(statuses), `${count} × 200`, `responses (${named})`);
  if (delay > 0) {
    same(tally(await Promise.all(newcomers)), `${newcomers.length} × 200 close`, `newcomers in the delay (${named})`);
    same(tally(await Promise.all(ready)), `${ready.length} × 503 close`, `/api/ready in the delay (${named})`);
  }
  await Promise.race([ended, sleep(20_000)]);
  same(code, 0, `exit code (${named})`);
  expect(performance.now() - at >= delay, `the process ended before the delay was over (${named})`);
  return { newcomers: newcomers.length, took: performance.now() - at - delay };
}

promise(57, async (world) => {
  const tokens = (await runConcurrently(50, 5, () => invited())).map(({ token }) => token);
  const rounds = [];
  for (const count of crowd)
    for (const isWarm of [false, true]) rounds.push(await round(world, count, isWarm, delayMs, tokens));
  for (const isWarm of [false, true]) rounds.push(await round(world, 300, isWarm, 0, tokens));
  const newcomers = rounds.reduce((sum, result) => sum + result.newcomers, 0);
  const most = Math.round(slowest(rounds.map(({ took }) => took)));
  return `SIGTERM with ${crowd.join(", ")} saves in the kernel's queue, to a fresh and a warm process, with ${delayMs} ms of delay and (300) with none: 0 reset; ${newcomers} new connections within the delay all served, /api/ready 503; exit code 0 at most ${most} ms after the delay`;
});
