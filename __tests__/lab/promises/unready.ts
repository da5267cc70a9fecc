import { expect, same } from "@/__tests__/lab/promises/support/expect";
import { on } from "@/__tests__/lab/promises/support/new-server";
import { smallDisk } from "@/__tests__/lab/promises/support/small-disk";
import { promise } from "@/__tests__/lab/promises/support/world";
import { landlord } from "@/__tests__/support/answers";
import { invited } from "@/__tests__/support/invited";
import { type App, isHealthy } from "@/__tests__/support/processes/app";
import { call } from "@/__tests__/support/processes/call";
import { slowest, tally } from "@/__tests__/support/processes/figures";
import { startPostgres, usersOf } from "@/__tests__/support/processes/postgres";
import { runConcurrently } from "@/__tests__/support/processes/run-concurrently";
import { until } from "@/__tests__/support/until";
import { withConnection } from "@/lib/server/db/connection";
import { invitationsOnFullDisk } from "./invitation-lists";

const mostMs = 5000;

/** Resolves with the milliseconds until /api/ready reports the given readiness. */
function untilReady(app: App, isReady: boolean, when: string): Promise<number> {
  const asReported = async () => (await isHealthy(app, "/api/ready")) === isReady;
  return until(asReported, mostMs, `still ${isReady ? "unready" : "ready"} ${when}`);
}

/** Saves every application repeatedly until enough saves were answered 503. Expects no status but 200 and 503. */
async function savesOnFullDisk(app: App, landlords: Awaited<ReturnType<typeof invited>>[], refusals: number) {
  const acknowledged = new Map<string, string>();
  const statuses: number[] = [];
  for (let round = 0; statuses.filter((status) => status === 503).length < refusals; round += 1) {
    expect(round < 50, `only ${tally(statuses)} on a full disk`);
    await runConcurrently(landlords.length, 8, async (n) => {
      const { id = "", token = "" } = landlords[n] ?? {};
      const firstName = `Ada ${round}`;
      const { status } = await call(app, "submit-step-1", { token, data: { ...landlord, firstName } });
      statuses.push(status);
      if (status === 200) acknowledged.set(id, firstName);
    });
  }
  const unexpected = statuses.filter((status) => status !== 200 && status !== 503);
  same(unexpected, [], "other statuses on a full disk");
  return { acknowledged, figure: tally(statuses.sort()) };
}

promise(58, async (world) => {
  const disk = smallDisk(192);
  world.after(disk.remove);
  const postgres = await startPostgres(disk.folder);
  world.after(postgres.stop);
  const owner = await postgres.createDatabase("small");
  const { app: database } = await usersOf(owner);
  const landlords = await on(database, () => runConcurrently(200, 8, () => invited()));
  const app = await world.start({ database, settings: { RATE_LIMIT_FACTOR: "1000" } });
  await untilReady(app, true, "at first");
  const sql = (statement: string) => withConnection(owner, async (client) => (await client.query(statement)).rows);
  const expectKept = async ({ acknowledged }: Awaited<ReturnType<typeof savesOnFullDisk>>) => {
    const rows = await sql('SELECT id, "firstName" AS name FROM applications');
    const lost = rows.filter(({ id, name }) => (acknowledged.get(id) ?? name) !== name);
    same(lost, [], "acknowledged saves that were lost");
  };

  disk.fill();
  const times = [await untilReady(app, false, "on a full disk")];
  const saves = await savesOnFullDisk(app, landlords, 100);
  disk.free();
  times.push(await untilReady(app, true, "with room again"));
  await expectKept(saves);

  disk.fill();
  // This grows only the write-ahead log. Once that has no room, Postgres stops itself and its recovery fails as well.
  const log = "SELECT pg_logical_emit_message(false, 'x', repeat('x', 1000000)) FROM generate_series(1, 100)";
  await sql(log).catch(() => undefined);
  times.push(await untilReady(app, false, "without room for the write-ahead log"));
  const dead = await savesOnFullDisk(app, landlords, 100);
  disk.free();
  await postgres.start();
  times.push(await untilReady(app, true, "after Postgres was started again"));
  await expectKept(dead);
  const lists = await invitationsOnFullDisk(world);
  return `on a full disk (saves ${saves.figure}) and once that has ended Postgres (${dead.figure}): unready, 503, and ready again by itself, each within ${Math.round(slowest(times))} ms; 0 acknowledged saves lost; ${lists}`;
});
