import { setTimeout as sleep } from "node:timers/promises";
import { consent } from "@/__tests__/support/answers";
import { invited } from "@/__tests__/support/invited";
import { call, fillIn } from "@/__tests__/support/processes/call";
import { tally } from "@/__tests__/support/processes/figures";
import { withClient } from "@/__tests__/support/processes/postgres";
import { dumpOf, dumpWithPostgresOwn, hashes, restore } from "./support/dump";
import { expect, same } from "./support/expect";
import { startLoad } from "./support/load";
import { migrateOneFurther } from "./support/migrate-one-further";
import { promise } from "./support/world";

promise(9, async ({ app, start, postgres, database, sql }) => {
  for (let n = 0; n < 20; n += 1) {
    const { token } = await invited({ firstName: `Zoë ${n} \\ "quoted" 'and' \t tabbed`, invoiceAmount: "2450.50" });
    await fillIn(app, token);
    if (n % 2) await call(app, "submit-final", { token, data: consent });
  }
  const before = await withClient(database, hashes);
  const copy = await postgres.createDatabase("restored");
  await restore(copy, await dumpOf(database));
  same(await withClient(copy, hashes), before, "row hashes after dump and restore");
  const own = await dumpWithPostgresOwn(postgres, database);
  if (own) same(own, before, "row hashes after pg_dump and psql");

  const busy = await start({ settings: { RATE_LIMIT_FACTOR: "1000", LOG_LEVEL: "silent" } });
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
  const how = own ? "by SQL and by pg_dump" : "by SQL";
  return `${rows} rows dumped and restored (${how}): identical hashes; migration under load (two columns and an index): ${load.statuses.length} saves, ${during} of them during it, 0 failed`;
});
