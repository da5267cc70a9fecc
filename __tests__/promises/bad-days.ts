import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { landlord } from "@/__tests__/support/answers";
import { invited } from "@/__tests__/support/invited";
import { type App, untilHealthy } from "./support/app";
import { type Answer, call, everyCall, wholeApplication } from "./support/call";
import { expect, same } from "./support/expect";
import { median, slowest, tally } from "./support/figures";
import { several } from "./support/several";
import type { Promised } from "./support/world";

const mostAway = 2000;
const mostLocked = 3000;

/** Every answer is a 503 that says when to try again, and comes in time. */
function expectAway(answers: Answer[], when: string): number {
  same(tally(answers.map(({ status }) => status)), `${answers.length} × 503`, `statuses while Postgres is ${when}`);
  for (const { headers, body } of answers) {
    expect(Number(headers.get("retry-after")) > 0, "a 503 without Retry-After");
    expect(body.success === false && body.message, "a 503 without {success, message}");
  }
  const worst = slowest(answers.map(({ milliseconds }) => milliseconds));
  expect(worst <= mostAway, `an answer took ${Math.round(worst)} ms while Postgres was ${when}`);
  return Math.round(worst);
}

/** Thirty calls every half second: more than there are connections to Postgres. */
async function askFor(seconds: number, app: App, token: string): Promise<Answer[]> {
  const answers: Promise<Answer>[] = [];
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(500))
    for (let n = 0; n < 30; n += 1)
      answers.push(call(app, everyCall[n % everyCall.length] ?? "submit", { token, data: wholeApplication }));
  return Promise.all(answers);
}

async function locked(app: App, database: string): Promise<Answer[]> {
  const { token, id } = await invited();
  await call(app, "submit-step-1", { token, data: landlord });
  const client = new Client({ connectionString: database });
  await client.connect();
  await client.query("BEGIN");
  await client.query("SELECT 1 FROM applications WHERE id = $1 FOR UPDATE", [id]);
  const begun = Date.now();
  const answers = await several(20, 20, () => call(app, "submit-step-1", { token, data: landlord }));
  await sleep(Math.max(0, 8000 - (Date.now() - begun)));
  await client.query("COMMIT");
  await client.end();
  same((await call(app, "submit-step-1", { token, data: landlord })).status, 200, "status once the row is free");
  return answers;
}

const badDays: Promised = {
  number: 25,
  async prove({ start, postgres, database }) {
    const app = await start({ settings: { LOG_LEVEL: "silent" } });
    const { token } = await invited();
    same((await call(app, "verify-token", { token })).status, 200, "status before");

    await postgres.stop();
    const stopped = expectAway(await askFor(10, app, token), "stopped");
    await postgres.start();
    const recovered = await untilHealthy(app);
    same(
      (await call(app, "submit-step-1", { token, data: landlord })).status,
      200,
      "status after Postgres was stopped",
    );

    postgres.freeze();
    let frozen: number;
    try {
      frozen = expectAway(await askFor(5, app, token), "frozen");
    } finally {
      postgres.thaw();
    }
    await untilHealthy(app);
    same((await call(app, "submit-step-1", { token, data: landlord })).status, 200, "status after Postgres was frozen");

    const waiting = await locked(app, database);
    const statuses = waiting.map(({ status }) => status);
    expect(!statuses.some((status) => status === 500), `a waiting save was answered 500 (${tally(statuses)})`);
    const times = waiting.map(({ milliseconds }) => milliseconds);
    expect(slowest(times) <= mostLocked, `a waiting save was answered after ${Math.round(slowest(times))} ms`);
    await app.end("SIGTERM");
    return `Postgres stopped 10 s: 503 with Retry-After, slowest ${stopped} ms, back after ${recovered} ms without a restart; frozen: 503, slowest ${frozen} ms; a row locked 8 s: 20 saves ${tally(statuses)}, median ${Math.round(median(times))}, slowest ${Math.round(slowest(times))} ms`;
  },
};

export const awayAndBack = [badDays];
