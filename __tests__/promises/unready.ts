import { setTimeout as sleep } from "node:timers/promises";
import { landlord } from "@/__tests__/support/answers";
import { invited } from "@/__tests__/support/invited";
import { type App, isHealthy } from "@/__tests__/support/processes/app";
import { call } from "@/__tests__/support/processes/call";
import { slowest, tally } from "@/__tests__/support/processes/figures";
import { type Postgres, startPostgres, withClient } from "@/__tests__/support/processes/postgres";
import { several } from "@/__tests__/support/processes/several";
import { makeRoles } from "@/lib/server/db/roles";
import { expect, same } from "./support/expect";
import { on } from "./support/on-database";
import { smallDisk } from "./support/small-disk";
import type { Promised, World } from "./support/world";

const mostMs = 5000;
const tables = ["applications", "links", "link_tokens", "consent_records", "events"];
const rights = ["UPDATE ON applications", "SELECT ON links", "INSERT ON events"];

type Invited = Awaited<ReturnType<typeof invited>>;

interface Place {
  app: App;
  landlords: Invited[];
  /** As the owner. */
  sql(statement: string): Promise<Record<string, string>[]>;
}

/** Milliseconds until /api/ready answers as wanted. */
async function until(app: App, isReady: boolean, when: string): Promise<number> {
  const begun = performance.now();
  while ((await isHealthy(app, "/api/ready")) !== isReady) {
    expect(performance.now() - begun < mostMs, `${isReady ? "unready" : "ready"} for ${mostMs} ms ${when}`);
    await sleep(50);
  }
  return performance.now() - begun;
}

const save = (app: App, { token }: Invited, firstName: string) =>
  call(app, "submit-step-1", { token, data: { ...landlord, firstName } });

/** Takes something away and gives it back: how long /api/ready takes to say so, either way. */
async function without({ app, landlords: [someone], sql }: Place, what: string, take: string, giveBack: string) {
  if (!someone) throw new Error("nobody is invited");
  await sql(take);
  const noticed = await until(app, false, `without ${what}`);
  const { status, headers } = await save(app, someone, "Ada");
  same([status, headers.get("retry-after")], [503, "5"], `a save without ${what}`);
  await sql(giveBack);
  const back = await until(app, true, `with ${what} again`);
  same((await save(app, someone, "Ada")).status, 200, `a save with ${what} again`);
  return [noticed, back];
}

/** Everybody's save, over and over, until the disk has refused as many. No answer but 200 and 503, and no 200 is lost. */
async function savesOnFullDisk({ app, landlords, sql }: Place, wanted: number) {
  const acknowledged = new Map<string, string>();
  const statuses: number[] = [];
  for (let round = 0; statuses.filter((status) => status === 503).length < wanted; round += 1) {
    expect(round < 50, `only ${tally(statuses)} on a full disk`);
    await several(landlords.length, 8, async (n) => {
      const one = landlords[n] as Invited;
      const { status } = await save(app, one, `Ada ${round}`);
      statuses.push(status);
      if (status === 200) acknowledged.set(one.id, `Ada ${round}`);
    });
  }
  same(
    statuses.filter((status) => status !== 200 && status !== 503),
    [],
    "other statuses on a full disk",
  );
  const kept = async () => {
    const names = new Map(
      (await sql('SELECT id, "firstName" AS name FROM applications')).map((row) => [row.id, row.name]),
    );
    same(
      [...acknowledged].filter(([id, name]) => names.get(id) !== name),
      [],
      "acknowledged saves that were lost",
    );
  };
  return { told: tally(statuses.sort()), kept };
}

async function prepare({ start }: World, postgres: Postgres): Promise<Place> {
  const owner = await postgres.createDatabase("small");
  const roles = await makeRoles(owner);
  const database = roles.find(({ kind }) => kind === "app")?.url ?? "";
  const landlords = await on(database, () => several(200, 8, () => invited()));
  const app = await start({ database, settings: { RATE_LIMIT_FACTOR: "1000" } });
  return {
    app,
    landlords,
    sql: (statement) => withClient(owner, async (client) => (await client.query(statement)).rows),
  };
}

const unready: Promised = {
  number: 58,
  async prove(world) {
    const disk = smallDisk(192);
    try {
      const postgres = await startPostgres(disk.folder);
      const place = await prepare(world, postgres);
      const { app, sql } = place;
      await until(app, true, "at first");
      const times: number[] = [];
      for (const table of tables)
        times.push(
          ...(await without(
            place,
            `the table ${table}`,
            `ALTER TABLE ${table} RENAME TO elsewhere`,
            `ALTER TABLE elsewhere RENAME TO ${table}`,
          )),
        );
      for (const right of rights)
        times.push(...(await without(place, right, `REVOKE ${right} FROM small_app`, `GRANT ${right} TO small_app`)));

      disk.fill();
      times.push(await until(app, false, "on a full disk"));
      const saves = await savesOnFullDisk(place, 100);
      disk.free();
      times.push(await until(app, true, "with room again"));
      await saves.kept();

      disk.fill();
      // Only the write-ahead log grows: once it has no room, Postgres ends itself and its recovery fails as well.
      await sql("SELECT pg_logical_emit_message(false, 'x', repeat('x', 1000000)) FROM generate_series(1, 100)").catch(
        () => undefined,
      );
      times.push(await until(app, false, "without room for the write-ahead log"));
      const dead = await savesOnFullDisk(place, 100);
      disk.free();
      await postgres.start();
      times.push(await until(app, true, "after Postgres was started again"));
      await dead.kept();
      await app.end("SIGTERM");
      await postgres.stop();
      return `without any of ${tables.length} tables, any of ${rights.length} rights, on a full disk (saves ${saves.told}) and once that has ended Postgres (${dead.told}): unready, 503 with Retry-After, and ready again by itself, each within ${Math.round(slowest(times))} ms; 0 acknowledged saves lost`;
    } finally {
      disk.remove();
    }
  },
};

export const unreadiness = [unready];
