import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { withConnection } from "@/lib/server/db/connection";
import { embeddedPostgres } from "@/lib/server/db/embedded";
import { applyMigrations } from "@/lib/server/db/migrations";
import { createRoles } from "@/lib/server/db/roles";

/**
 * Provides the database of one test run in its own process. It prints the URLs of a migrated template, waits until stdin closes
 * (which also happens when the run is killed), and drops what the run created. With DATABASE_URL, it creates its databases
 * on that server and does not touch the named one.
 */
const prefix = `test_${randomBytes(4).toString("hex")}`;

async function dropAll(serverUrl: string): Promise<void> {
  await withConnection(serverUrl, async (client) => {
    const made = await client.query("SELECT datname FROM pg_database WHERE starts_with(datname, $1)", [prefix]);
    for (const { datname } of made.rows) await client.query(`DROP DATABASE "${datname}" WITH (FORCE)`);
    const roles = await client.query("SELECT rolname FROM pg_roles WHERE starts_with(rolname, $1)", [prefix]);
    for (const { rolname } of roles.rows) await client.query(`DROP ROLE "${rolname}"`);
  });
}

/**
 * Starts a Postgres in a folder beside the developer's own data. It runs without fsync, so a crash may lose its data.
 * JIT compilation costs more than it saves on small tables.
 */
async function ownServer(): Promise<string> {
  const { owner } = await embeddedPostgres(join(process.cwd(), ".data", "tests"), { stopAtExit: true });
  await withConnection(owner, async (client) => {
    for (const setting of ["fsync", "full_page_writes", "jit"]) await client.query(`ALTER SYSTEM SET ${setting} = off`);
    await client.query("SELECT pg_reload_conf()");
  });
  return owner;
}

async function main(): Promise<void> {
  const serverUrl = process.env.DATABASE_URL || (await ownServer());
  await withConnection(serverUrl, (client) => client.query(`CREATE DATABASE "${prefix}"`));
  const url = new URL(serverUrl);
  url.pathname = `/${prefix}`;
  await applyMigrations(url.href);
  const roles = await createRoles(url.href);
  const urls = Object.fromEntries(roles.map((role) => [`${role.kind}Url`, role.url]));
  console.log(JSON.stringify({ serverUrl, templateUrl: url.href, ...urls }));
  process.stdin.resume().once("end", () => dropAll(serverUrl).finally(() => process.exit()));
}

main();
