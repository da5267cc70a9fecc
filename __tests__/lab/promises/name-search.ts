import { compareSaves } from "@/__tests__/lab/promises/support/compare-saves";
import { expect } from "@/__tests__/lab/promises/support/expect";
import { many, manyPeople } from "@/__tests__/lab/promises/support/many-applications";
import { on } from "@/__tests__/lab/promises/support/new-server";
import { promise, type World } from "@/__tests__/lab/promises/support/world";
import { untilHealthy } from "@/__tests__/support/processes/app";
import { quantile } from "@/__tests__/support/processes/figures";
import { findApplications } from "@/lib/server/applications/find";
import { withConnection } from "@/lib/server/db/connection";

/** Searches by operations: common names, addresses and agencies from newest to oldest, and a name that nobody has. */
const searches = Array.from({ length: 20 }, (_, turn) => {
  const n = 1 + Math.floor((turn / 20) * many);
  return ["Nguyen", "Zoe Hassan", `${n} Wattle Street`, `Harbour Realty ${n % 400}`, "Nobody"];
}).flat();

const indexes = ["applications_search", "applications_search_mobiles"];

/** Milliseconds of each search, after a first pass over all of them. As in a command, each search has its own connection. */
async function timesOf(database: string): Promise<number[]> {
  const times: number[] = [];
  for (const words of [...searches, ...searches])
    await on(database, async () => {
      await findApplications("ZZZZ-ZZZZ");
      const begun = performance.now();
      await findApplications(words);
      times.push(performance.now() - begun);
    });
  return times.slice(searches.length);
}

/**
 * Gives Postgres the memory that docs/deploy/growth.md recommends, until the promise ends. Returns whether the machine has huge
 * pages for it.
 */
async function enlargeMemory({ postgres, database, app, after }: World): Promise<string> {
  const restartAfter = async (statement: string) => {
    await withConnection(database, (client) => client.query(statement));
    await postgres.stop();
    await postgres.start();
    await untilHealthy(app);
  };
  await restartAfter("ALTER SYSTEM SET shared_buffers = '1GB'");
  after(() => restartAfter("ALTER SYSTEM RESET shared_buffers"));
  const { rows } = await withConnection(database, (client) => client.query("SHOW huge_pages_status"));
  return rows[0].huge_pages_status;
}

promise(72, async (world) => {
  const { postgres, database: elsewhere } = world;
  const hugePages = await enlargeMemory(world);
  const withIndex = await postgres.createDatabase("names");
  const index = await withConnection(withIndex, async (client) => {
    const { rows } = await client.query(
      "SELECT string_agg(pg_get_indexdef(i::regclass), ';') AS made FROM unnest($1::text[]) AS i",
      [indexes],
    );
    await client.query(`SET session_replication_role = replica; SET synchronous_commit = off; DROP INDEX ${indexes}`);
    await client.query(manyPeople(many));
    await client.query("VACUUM ANALYZE applications");
    return rows[0].made;
  });
  await withConnection(elsewhere, (client) => client.query("CREATE DATABASE names_without TEMPLATE names"));
  const without = new URL(withIndex);
  without.pathname = "/names_without";
  await withConnection(withIndex, async (client) => {
    await client.query(index);
    await client.query("VACUUM ANALYZE applications");
    await client.query("CHECKPOINT");
  });

  const p95 = quantile(await timesOf(withIndex), 0.95);
  expect(p95 <= 50, `p95 of a search: ${p95.toFixed(1)} ms, huge pages ${hugePages}`);
  const ratio = await compareSaves(world, withIndex, without.href);
  expect(ratio >= 0.95, `saves with the index: ${ratio.toFixed(3)} × those without`);
  return `among ${many.toLocaleString("en")} applications, huge pages ${hugePages}: p95 of ${searches.length} searches by name, address or agency ${p95.toFixed(1)} ms; saves ${ratio.toFixed(2)} × those without it`;
});
