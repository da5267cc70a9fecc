import { setTimeout as sleep } from "node:timers/promises";
import { copyByPgDump, hashes } from "@/__tests__/lab/promises/support/dump";
import { expect, same } from "@/__tests__/lab/promises/support/expect";
import { startLoad } from "@/__tests__/lab/promises/support/load";
import { migrateOneFurther } from "@/__tests__/lab/promises/support/migrate-one-further";
import { newServer, on, programWith } from "@/__tests__/lab/promises/support/new-server";
import { promise } from "@/__tests__/lab/promises/support/world";
import { invited } from "@/__tests__/support/invited";
import { freePort, untilHealthy } from "@/__tests__/support/processes/app";
import { fillIn, submit } from "@/__tests__/support/processes/call";
import { slowest, tally } from "@/__tests__/support/processes/figures";
import { withConnection } from "@/lib/server/db/connection";
import { applyMigrations } from "@/lib/server/db/migrations";

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

promise(9, async ({ start, after, database, sql }) => {
  const program = programWith("pg_dump");
  const server = await newServer(program);
  after(server.stop);
  await applyMigrations(server.owner);
  const app = await start({ database: server.owner });
  await on(server.owner, async () => {
    for (let n = 0; n < 20; n += 1) {
      const { token } = await invited({ firstName: `Zoë ${n} \\ "quoted" 'and' \t tabbed`, invoiceAmount: "2450.50" });
      await (n % 2 ? submit : fillIn)(app, token);
    }
  });
  const before = await withConnection(server.owner, hashes);
  await withConnection(server.urlOf("postgres"), (client) => client.query("CREATE DATABASE copy OWNER lender_owner"));
  const copy = server.urlOf("copy", "lender_owner");
  copyByPgDump(program, server.owner, copy);
  same(await withConnection(copy, hashes), before, "row hashes after pg_dump and psql");

  const busy = await start({ settings });
  const load = await startLoad(busy, 6);
  await sleep(1000);
  const earlier = load.statuses.length;
  await migrateOneFurther(database);
  const during = load.statuses.length - earlier;
  await sleep(1000);
  await load.stop();
  expect(during > 0, "nothing was saved while the migration ran");
  same(tally(load.statuses), `${load.statuses.length} × 200`, "statuses of saves before, during and after a migration");
  await load.expectNoneLost(sql);
  const rows = Object.values(before).reduce((sum, hash) => sum + Number.parseInt(hash, 10), 0);
  return `${rows} rows dumped and restored (pg_dump ${server.version}): identical hashes; migration under load (three columns and an index): ${load.statuses.length} saves, ${during} of them during it, 0 failed`;
});
