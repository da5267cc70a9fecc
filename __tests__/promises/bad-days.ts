import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { landlord, wholeApplication } from "@/__tests__/support/answers";
import { invited } from "@/__tests__/support/invited";
import { type App, untilHealthy } from "@/__tests__/support/processes/app";
import { type Answer, call, everyCall } from "@/__tests__/support/processes/call";
import { slowest, tally } from "@/__tests__/support/processes/figures";
import { several } from "@/__tests__/support/processes/several";
import { expect, same } from "./support/expect";
import { bestRound, startFloor } from "./support/floor";
import type { Promised } from "./support/world";

const mostAway = 2000;
const mostLocked = 3000;

/** Expects only 503 with Retry-After; returns the slowest in milliseconds. */
function slowestRefusal(answers: Answer[], when: string): number {
  same(tally(answers.map(({ status }) => status)), `${answers.length} × 503`, `statuses while Postgres is ${when}`);
  for (const { headers, body } of answers) {
    expect(Number(headers.get("retry-after")) > 0, "a 503 without Retry-After");
    expect(body.success === false && body.message, "a 503 without {success, message}");
  }
  return slowest(answers.map(({ milliseconds }) => milliseconds));
}

/** Thirty calls every half second, more than the pool has connections. */
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
    // A save sent before the outage may still be applied late, so a second application is used to check saving.
    const { token: other } = await invited();
    same((await call(app, "verify-token", { token })).status, 200, "status before");

    const floor = await startFloor();
    const away = async (seconds: number, when: string) => {
      floor.taken();
      const taken = slowestRefusal(await askFor(seconds, app, token), when);
      return { taken, floor: slowest(floor.taken()) };
    };
    await postgres.stop();
    const stopped = await bestRound(mostAway, () => away(10, "stopped"));
    await postgres.start();
    const recovered = await untilHealthy(app);
    same(
      (await call(app, "submit-step-1", { token, data: landlord })).status,
      200,
      "status after Postgres was stopped",
    );

    postgres.freeze();
    const frozen = await bestRound(mostAway, () => away(5, "frozen")).finally(() => postgres.thaw());
    await untilHealthy(app);
    same(
      (await call(app, "submit-step-1", { token: other, data: landlord })).status,
      200,
      "status after Postgres was frozen",
    );
    expect(stopped.isKept, `an answer took ${stopped.told} while Postgres was stopped`);
    expect(frozen.isKept, `an answer took ${frozen.told} while Postgres was frozen`);

    const statuses: number[] = [];
    const waiting = await bestRound(mostLocked, async () => {
      floor.taken();
      const answers = await locked(app, database);
      statuses.push(...answers.map(({ status }) => status));
      return { taken: slowest(answers.map(({ milliseconds }) => milliseconds)), floor: slowest(floor.taken()) };
    });
    floor.end();
    expect(!statuses.includes(500), `a waiting save was answered 500 (${tally(statuses)})`);
    expect(waiting.isKept, `a waiting save was answered after ${waiting.told}`);
    await app.end("SIGTERM");
    return `Postgres stopped 10 s: 503 with Retry-After, slowest ${stopped.told}, back after ${recovered} ms without a restart; frozen: 503, slowest ${frozen.told}; a row locked 8 s: waiting saves ${tally(statuses)}, slowest ${waiting.told}`;
  },
};

export const awayAndBack = [badDays];
