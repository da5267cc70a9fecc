import { setTimeout as sleep } from "node:timers/promises";
import { landlord } from "@/__tests__/support/answers";
import { saveLandlord } from "@/__tests__/support/calls";
import { invited } from "@/__tests__/support/invited";
import { post } from "@/__tests__/support/post";
import { startPostgres, withClient } from "@/__tests__/support/processes/postgres";
import { GET as ready } from "@/app/api/ready/route";
import { closeDatabase } from "@/lib/server/db/client";

/** A server of its own: whether commits wait for a standby is a setting of the whole server. */
let postgres: Awaited<ReturnType<typeof startPostgres>>;
let url: string;
beforeAll(async () => {
  postgres = await startPostgres();
  url = await postgres.createDatabase("lender");
  process.env.DATABASE_URL = url;
});
afterAll(async () => {
  await closeDatabase();
  await postgres.remove();
});

const setStandbys = (names: string) =>
  withClient(url, async (client) => {
    await client.query(`ALTER SYSTEM SET synchronous_standby_names = '${names}'`);
    await client.query("SELECT pg_reload_conf()");
    // The checkpointer hears of it by and by.
    await sleep(300);
  });

async function readiness(): Promise<[number, object]> {
  // Longer than an answer is kept.
  await sleep(1100);
  const response = await ready();
  return [response.status, await response.json()];
}

test("where commits wait for a standby that is gone, calls get 503 and readiness says so, until it is back", async () => {
  const { token } = await invited();
  expect(await readiness()).toEqual([200, { status: "ready" }]);
  await setStandbys("*");
  try {
    const begun = performance.now();
    expect((await post(saveLandlord, { token, data: landlord })).status).toBe(503);
    expect(performance.now() - begun).toBeLessThan(5000);
    // Once more, now that a commit is seen to hang: no further one is left hanging.
    for (const _ of [1, 2]) expect(await readiness()).toEqual([503, { status: "unready" }]);
  } finally {
    await setStandbys("");
  }
  expect(await readiness()).toEqual([200, { status: "ready" }]);
  expect((await post(saveLandlord, { token, data: landlord })).status).toBe(200);
});

test("an app without calls notices as well", async () => {
  await setStandbys("*");
  try {
    expect(await readiness()).toEqual([503, { status: "unready" }]);
  } finally {
    await setStandbys("");
  }
});
