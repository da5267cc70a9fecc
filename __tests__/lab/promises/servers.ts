import { expect, same } from "@/__tests__/lab/promises/support/expect";
import { startLoad } from "@/__tests__/lab/promises/support/load";
import { migrateOneFurther } from "@/__tests__/lab/promises/support/migrate-one-further";
import { on } from "@/__tests__/lab/promises/support/new-server";
import { promise, type World } from "@/__tests__/lab/promises/support/world";
import { invited } from "@/__tests__/support/invited";
import { submit } from "@/__tests__/support/processes/call";
import { tally } from "@/__tests__/support/processes/figures";
import { postgresPrograms, type Server, startServer } from "@/__tests__/support/processes/servers";
import { runCommand } from "@/__tests__/support/run-command";
import { withConnection } from "@/lib/server/db/connection";

const warning = "which is more than the app needs";

/** Submits an application to an app that runs as this database user. Returns whether the app's start printed the warning. */
async function journeyAs(start: World["start"], url: string): Promise<{ isWarned: boolean }> {
  const app = await start({ database: url });
  await on(url, async () => {
    const { token } = await invited();
    await submit(app, token);
  });
  await app.end("SIGTERM");
  return { isWarned: app.output().includes(warning) };
}

/** Installs and upgrades the product as an owner without CREATEROLE. Returns the number of saves around the migration. */
async function lifeOn(server: Server, start: World["start"]): Promise<number> {
  const admin = (database: string, sql: string) =>
    withConnection(server.urlOf(database), (client) => client.query(sql));
  await admin("postgres", "CREATE ROLE plain LOGIN NOCREATEROLE NOCREATEDB");
  await admin("postgres", "CREATE DATABASE lender OWNER plain");
  const owner = server.urlOf("lender", "plain");
  const run = (name: string, ...args: string[]) => runCommand(name, args, { DATABASE_URL: owner });
  same((await run("migrate")).code, 0, "exit code of the first migration");

  const asOwner = await journeyAs(start, owner);
  expect(asOwner.isWarned, "with one database user the start does not say what the app can change");

  const app = await start({ database: owner, settings: { RATE_LIMIT_FACTOR: "1000", LOG_LEVEL: "silent" } });
  const saves = await on(owner, async () => {
    const load = await startLoad(app, 4);
    await migrateOneFurther(owner);
    await load.stop();
    same(tally(load.statuses), `${load.statuses.length} × 200`, "statuses of saves around a migration");
    return load.statuses.length;
  });
  await app.end("SIGTERM");

  const refused = await run("roles");
  expect(refused.code === 1 && refused.err.includes("--sql"), `roles as a plain owner: ${refused.err}`);
  const { out: script } = await run("roles", "--sql");
  for (let time = 0; time < 2; time += 1) await admin("lender", script);
  same((await run("roles")).code, 0, "exit code of roles once an administrator has made them");

  const asApp = await journeyAs(start, server.urlOf("lender", "lender_app"));
  expect(!asApp.isWarned, "with a database user of its own the start warns of its privileges");

  const appEnv = { DATABASE_URL: server.urlOf("lender", "lender_app") };
  const opsEnv = { ...appEnv, OPERATIONS_DATABASE_URL: server.urlOf("lender", "lender_operations") };
  const args = ["--json", "--mobile", "61412345678", "--allow-duplicates"];
  const { reference } = JSON.parse((await runCommand("invite", args, appEnv)).out);
  same((await runCommand("person", ["export", reference], opsEnv)).code, 0, "exit code of an export as operations");
  const erased = await runCommand("person", ["erase", reference], opsEnv);
  same([erased.code, erased.err], [0, ""], "an erasure by the app's user");
  return saves;
}

promise(40, async ({ start }) => {
  const found: string[] = [];
  for (const program of postgresPrograms()) {
    const server = await startServer(program);
    const saves = await lifeOn(server, start).finally(server.stop);
    found.push(`${server.version} (${saves} saves around a migration, 0 failed)`);
  }
  return `as a plain owner without CREATEROLE, then with two and with three database users, on PostgreSQL ${found.join(" and ")}: every call and command right, the one user warned about at the start`;
});
