import { landlord } from "@/__tests__/support/answers";
import { saveLandlord } from "@/__tests__/support/calls";
import { invited } from "@/__tests__/support/invited";
import { post } from "@/__tests__/support/post";
import { setStandbys, startPostgres } from "@/__tests__/support/processes/postgres";
import { readinessCache } from "@/__tests__/support/readiness-cache";
import { until } from "@/__tests__/support/until";
import { GET as ready } from "@/app/api/ready/route";
import { closeDatabase } from "@/lib/server/db/client";
import { withConnection } from "@/lib/server/db/connection";

/** This test starts its own server, since synchronous_standby_names applies to the whole server. */
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

/** Runs `work` while commits wait for a standby that is gone. */
const withoutStandby = (work: () => Promise<unknown>) =>
  setStandbys(url, "*").then(() => work().finally(() => setStandbys(url, "")));

/** The number of commits that have been waiting for a standby for so many seconds. */
const hanging = (seconds = 0) =>
  withConnection(url, async (client) => {
    const waiting =
      "SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND state_change <= now() - make_interval(secs => $1)";
    return (await client.query(waiting, [seconds])).rowCount ?? 0;
  });

const endCache = readinessCache();
async function readiness(): Promise<[number, object]> {
  endCache();
  const response = await ready();
  return [response.status, await response.json()];
}

const save = async (token: string) => (await post(saveLandlord, { token, data: landlord })).status;

test("where commits wait for a standby that is gone, calls get 503 and readiness says so, until it is back", async () => {
  const { token } = await invited();
  await until(async () => (await readiness())[0] === 200);
  await withoutStandby(async () => {
    await until(async () => (await save(token)) === 503);
    await until(async () => (await hanging(1)) > 0);
    const before = await hanging();
    // Readiness sees the hanging commit, so it does not try a commit of its own.
    for (const _ of [1, 2]) expect(await readiness()).toEqual([503, { status: "unready" }]);
    expect(await hanging()).toBe(before);
  });
  await until(async () => (await readiness())[0] === 200);
  await until(async () => (await save(token)) === 200);
});

test("readiness fails even if no call tries to commit", () =>
  withoutStandby(() => until(async () => (await readiness())[0] === 503)));
