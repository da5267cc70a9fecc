import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { reportFigure, size } from "@/__tests__/support/size";
import type { RunDatabase } from "@/__tests__/support/start-run-database";
import { setClock, stopwatch } from "./clock";
import { connected, simulationDatabase } from "./database";
import { described, simulate } from "./simulate";
import { type Environment, openEnvironment } from "./world";

const server = {
  serverUrl: process.env.TEST_SERVER_URL,
  templateUrl: process.env.TEST_TEMPLATE_URL,
  appUrl: process.env.TEST_APP_URL,
  operationsUrl: process.env.TEST_OPERATIONS_URL,
} as RunDatabase;

let database: Awaited<ReturnType<typeof simulationDatabase>>;
let environment: Environment;
beforeAll(async () => {
  database = await simulationDatabase(server);
  environment = await openEnvironment(database);
});
afterAll(async () => {
  await environment.close();
  await database.drop();
});

test("the simulated clock sets now(), column defaults, the owner's functions and Date", async () => {
  const time = Date.UTC(2031, 4, 5);
  await setClock(environment.owner, time);
  const app = await connected(database.appUrl);
  const { rows } = await app.query(`
    WITH made AS (INSERT INTO applications (reference) VALUES ('CLCK-TEST') RETURNING id, "createdAt")
    SELECT now(), "createdAt", id FROM made`);
  const operations = await connected(database.operationsUrl);
  await operations.query("SELECT erase_applications(ARRAY[$1::uuid], 'test')", [rows[0].id]);
  const erased = await app.query(`SELECT "erasedAt" FROM applications WHERE id = $1`, [rows[0].id]);
  await Promise.all([app.end(), operations.end()]);
  for (const at of [rows[0].now, rows[0].createdAt, erased.rows[0].erasedAt, new Date()])
    expect(Math.abs(at.getTime() - time)).toBeLessThan(30_000);
});

test("a held operation keeps its transaction, although the product limits how long it may be idle", async () => {
  const app = await connected(database.appUrl);
  await app.query("BEGIN");
  await app.query("SELECT set_config('idle_in_transaction_session_timeout', '1', true)");
  await sleep(50);
  expect((await app.query("COMMIT")).command).toBe("COMMIT");
  await app.end();
});

test("no step breaks an invariant", async () => {
  const seed = randomInt(2 ** 31);
  process.stdout.write(`Simulation: seed ${seed}\n`);
  const stepCount = size(1000, 20_000);
  const begun = stopwatch();
  const { steps, worlds, failure } = await simulate(environment, { seed, steps: stepCount, shrinkMs: 60_000 });
  if (failure) throw new Error(described(failure));
  const minutes = ((stopwatch() - begun) / 60_000).toFixed(1);
  reportFigure(63, `${steps} steps in ${worlds} worlds of seed ${seed}, ${minutes} minutes: 0 violations`);
  expect(steps).toBeGreaterThanOrEqual(stepCount);
}, 1_800_000);
