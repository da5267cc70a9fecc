import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freshDatabase } from "@/__tests__/support/database";
import { temporaryFolder } from "@/__tests__/support/temporary-folder";
import { pendingOn } from "@/lib/server/db/catalogue";
import { withConnection } from "@/lib/server/db/connection";
import { migrationNames } from "@/lib/server/db/files";
import { applyMigrations } from "@/lib/server/db/migrations";

jest.setTimeout(120_000);

const { url, appUrl, sql, untilBlocked } = freshDatabase();

/** A copy of the project whose prisma folder the tests may change. */
const project = temporaryFolder();
beforeAll(() => {
  const shared = ["lib", "node_modules", "tsconfig.json", "package.json"];
  for (const name of shared) symlinkSync(join(process.cwd(), name), join(project, name));
  cpSync("prisma", join(project, "prisma"), { recursive: true });
});

function runAs(databaseUrl: string, command: string, ...args: string[]) {
  const flags = ["--conditions=react-server", "--require", "tsx/cjs", `lib/cli/${command}.ts`, ...args];
  const env = { ...process.env, DATABASE_URL: databaseUrl };
  const { status, stdout, stderr } = spawnSync(process.execPath, flags, { cwd: project, env, encoding: "utf8" });
  return { status, stdout, stderr };
}

const run = (command: string, ...args: string[]) => runAs(url, command, ...args);

function writeMigration(name: string, script: string): void {
  const folder = join(project, "prisma/migrations", name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "migration.sql"), script);
}

/** Later than every migration of the project. */
const lateMigration = "20991231000000_late";

async function removeLateMigration(): Promise<void> {
  await sql("DELETE FROM _prisma_migrations WHERE migration_name = $1", [lateMigration]);
  rmSync(join(project, "prisma/migrations", lateMigration), { recursive: true, force: true });
}

const searchIndex =
  "SELECT num_nulls(to_regclass('applications_search'), to_regclass('applications_search_mobiles')) = 0 AS made";

test.each([
  ["may not create extensions", ""],
  [
    "may not use the extension's schema",
    "CREATE SCHEMA elsewhere; CREATE EXTENSION pg_trgm SCHEMA elsewhere; REVOKE ALL ON SCHEMA elsewhere FROM PUBLIC",
  ],
])("an owner who %s can still migrate; searches by name then have no index", async (_, extension) => {
  const tenant = new URL(url);
  tenant.username = `tenant_${randomUUID()}`;
  tenant.password = "secret";
  await sql(`CREATE ROLE "${tenant.username}" LOGIN PASSWORD 'secret'`);
  await sql("DROP SCHEMA public CASCADE");
  await sql(`CREATE SCHEMA public AUTHORIZATION "${tenant.username}"`);
  await sql(extension);
  expect(await applyMigrations(tenant.href)).toEqual(migrationNames());
  expect(await sql(searchIndex)).toEqual([{ made: false }]);
  await sql("DROP SCHEMA IF EXISTS elsewhere CASCADE");
  await sql(`DROP OWNED BY "${tenant.username}"`);
  await sql(`DROP ROLE "${tenant.username}"`);
  await sql("CREATE SCHEMA public");
});

test("the index is also created if the extension is in a schema of its own", async () => {
  await sql("DROP SCHEMA public CASCADE");
  await sql("CREATE SCHEMA public");
  await sql("CREATE SCHEMA elsewhere");
  await sql("CREATE EXTENSION pg_trgm SCHEMA elsewhere");
  await applyMigrations(url);
  expect(await sql(searchIndex)).toEqual([{ made: true }]);
  await sql("DROP SCHEMA elsewhere CASCADE");
});

test("one of two concurrent migrations of an empty database applies everything while the other waits", async () => {
  await sql("DROP SCHEMA public CASCADE");
  await sql("CREATE SCHEMA public");
  expect(await withConnection(url, pendingOn)).toEqual(migrationNames());
  const applied = await Promise.all([applyMigrations(url), applyMigrations(url)]);
  expect(applied.flat()).toEqual(migrationNames());
  expect(await withConnection(url, pendingOn)).toEqual([]);
});

test("a migration that fails names itself, leaves nothing behind, and can be corrected and run again", async () => {
  writeMigration(lateMigration, "CREATE TABLE late (id int);\nCREATE TABLE late (id int);");
  const failed = run("migrate");
  expect([failed.status, failed.stdout]).toEqual([1, ""]);
  expect(failed.stderr).toContain(`The migration ${lateMigration} failed.`);
  expect(failed.stderr).not.toMatch(/^\s+at /m);
  expect(await sql("SELECT to_regclass('late') AS late")).toEqual([{ late: null }]);
  writeMigration(lateMigration, "SELECT pg_terminate_backend(pg_backend_pid());");
  expect(run("migrate").stderr).toContain("terminating connection due to administrator command");
  writeMigration(lateMigration, "CREATE TABLE late (id int);");
  expect(run("migrate").stdout).toBe(`Applied ${lateMigration}\nThe database is up to date.\n`);
  await sql("DROP TABLE late");
  await removeLateMigration();
});

test("migrate as another user than the owner says which settings name the user", async () => {
  writeMigration(lateMigration, "ALTER TABLE applications ADD COLUMN late int");
  const advice = "Check which database user OPERATIONS_DATABASE_URL or DATABASE_URL names.\n";
  const failed = { status: 1, stdout: "" };
  expect(runAs(appUrl, "migrate")).toEqual({
    ...failed,
    stderr: `Database error: no schema has been selected to create in. ${advice}`,
  });
  const app = `"${new URL(appUrl).username}"`;
  await sql(`GRANT ALL ON SCHEMA public TO ${app}`);
  await sql(`GRANT SELECT ON _prisma_migrations TO ${app}`);
  expect(runAs(appUrl, "migrate")).toEqual({
    ...failed,
    stderr: `The migration ${lateMigration} failed. must be owner of table applications. ${advice}`,
  });
  await removeLateMigration();
});

test("a migration that Postgres rolls back because of a deadlock is retried", async () => {
  await sql("CREATE SEQUENCE attempts");
  // nextval is not rolled back, so the sequence counts the attempts.
  writeMigration(
    lateMigration,
    `CREATE TABLE late (id int);
DO $$ BEGIN
  IF nextval('attempts') < 3 THEN RAISE 'deadlock detected' USING ERRCODE = 'deadlock_detected'; END IF;
END $$;`,
  );
  expect(run("migrate")).toEqual({
    status: 0,
    stdout: `Applied ${lateMigration}\nThe database is up to date.\n`,
    stderr: expect.stringMatching(/^Missing: the database user .+\n$/),
  });
  expect(await sql("SELECT last_value::int AS attempts FROM attempts")).toEqual([{ attempts: 3 }]);
  await sql("DROP TABLE late");
  await sql("DROP SEQUENCE attempts");
  await removeLateMigration();
});

test("a migration that waits for a table does not hold up calls, and is made once the table is free", async () => {
  await applyMigrations(url);
  await sql("BEGIN");
  await sql("SELECT FROM applications");
  const applied = applyMigrations(url, { [lateMigration]: "ALTER TABLE applications ADD COLUMN late int" });
  applied.catch(() => {});
  await untilBlocked();
  // Behind a migration that waits without a limit, this reader would wait for as long as the first one reads.
  await withConnection(url, async (client) => {
    await client.query("SET statement_timeout = '5s'");
    await client.query("SELECT FROM applications");
  });
  await untilBlocked();
  await sql("COMMIT");
  expect(await applied).toEqual([lateMigration]);
  await sql("ALTER TABLE applications DROP COLUMN late");
  await removeLateMigration();
});

test("a change of schema.prisma is written as a migration, once", async () => {
  const schema = join(project, "prisma/schema.prisma");
  writeFileSync(schema, readFileSync(schema, "utf8").replace("model RateLimit {", "model RateLimit {\n  note String?"));
  expect(run("migrate-new", "note-on-limits")).toMatchObject({ status: 0, stderr: "" });
  const written = readdirSync(join(project, "prisma/migrations")).find((name) => name.endsWith("_note_on_limits"));
  const script = readFileSync(join(project, "prisma/migrations", written ?? "", "migration.sql"), "utf8");
  expect(script).toContain('ALTER TABLE "rate_limits" ADD COLUMN     "note" TEXT;');
  expect(run("migrate").stdout).toContain(`Applied ${written}`);
  expect(run("migrate-new", "again").stdout).toContain("there is nothing to write");
  expect(run("migrate-new", "Not/A Name").status).toBe(2);
});
