import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { callCommand } from "@/__tests__/support/call-command";
import { freshDatabase } from "@/__tests__/support/database";
import { program } from "@/__tests__/support/program";
import { temporaryFolder } from "@/__tests__/support/temporary-folder";
import { withConnection } from "@/lib/server/db/connection";
import { migrationNames } from "@/lib/server/db/files";
import { applyMigrations } from "@/lib/server/db/migrations";
import { pendingOn } from "@/lib/server/db/system-queries";

jest.setTimeout(120_000);

const { url, appUrl, sql, untilBlocked, blockedBy } = freshDatabase();

/** Migrations of a later version, which every run here applies as well: their scripts by name. */
const mockLater: Record<string, string> = {};
jest.mock("@/lib/server/db/migrations", () => {
  const actual = jest.requireActual("@/lib/server/db/migrations");
  return { applyMigrations: (databaseUrl: string) => actual.applyMigrations(databaseUrl, mockLater) };
});

const migrate = (databaseUrl = url) => callCommand("migrate", [], { DATABASE_URL: databaseUrl });

/** Later than every migration of the project. */
const late = "20991231000000_late";

/** Removes what the late migration of a test has left. */
afterEach(async () => {
  if (!mockLater[late]) return;
  await sql("DROP TABLE IF EXISTS late; ALTER TABLE applications DROP COLUMN IF EXISTS late");
  await sql("DELETE FROM _prisma_migrations WHERE migration_name = $1", [late]);
  delete mockLater[late];
});

const emptyDatabase = () => sql("DROP SCHEMA public CASCADE; CREATE SCHEMA public");

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
  await sql(`DROP SCHEMA public CASCADE; CREATE SCHEMA public AUTHORIZATION "${tenant.username}"`);
  await sql(extension);
  expect(await applyMigrations(tenant.href)).toEqual(migrationNames());
  expect(await sql(searchIndex)).toEqual([{ made: false }]);
  await sql("DROP SCHEMA IF EXISTS elsewhere CASCADE");
  await sql(`DROP OWNED BY "${tenant.username}"; DROP ROLE "${tenant.username}"; CREATE SCHEMA public`);
});

test("the index is also created if the extension is in a schema of its own", async () => {
  await emptyDatabase();
  await sql("CREATE SCHEMA elsewhere; CREATE EXTENSION pg_trgm SCHEMA elsewhere");
  await applyMigrations(url);
  expect(await sql(searchIndex)).toEqual([{ made: true }]);
  await sql("DROP SCHEMA elsewhere CASCADE");
});

test("one of two concurrent migrations of an empty database applies everything while the other waits", async () => {
  await emptyDatabase();
  expect(await withConnection(url, pendingOn)).toEqual(migrationNames());
  const applied = await Promise.all([applyMigrations(url), applyMigrations(url)]);
  expect(applied.flat()).toEqual(migrationNames());
  expect(await withConnection(url, pendingOn)).toEqual([]);
});

test("a migration that fails names itself, leaves nothing behind, and can be corrected and run again", async () => {
  mockLater[late] = "CREATE TABLE late (id int);\nCREATE TABLE late (id int);";
  const failed = await migrate();
  expect([failed.code, failed.out]).toEqual([1, ""]);
  expect(failed.err).toContain(`The migration ${late} failed.`);
  expect(failed.err).not.toMatch(/^\s+at /m);
  expect(await sql("SELECT to_regclass('late') AS late")).toEqual([{ late: null }]);
  mockLater[late] = "SELECT pg_terminate_backend(pg_backend_pid())";
  expect((await migrate()).err).toContain("terminating connection due to administrator command");
  mockLater[late] = "CREATE TABLE late (id int)";
  expect((await migrate()).out).toBe(`Applied ${late}\nThe database is up to date.\n`);
});

test("migrate as another user than the owner says which settings name the user", async () => {
  mockLater[late] = "ALTER TABLE applications ADD COLUMN late int";
  const advice = "Check which database user OPERATIONS_DATABASE_URL or DATABASE_URL names.\n";
  const failed = (err: string) => ({ code: 1, out: "", err: `${err}. ${advice}` });
  expect(await migrate(appUrl)).toEqual(failed("Database error: no schema has been selected to create in"));
  const app = `"${new URL(appUrl).username}"`;
  await sql(`GRANT ALL ON SCHEMA public TO ${app}; GRANT SELECT ON _prisma_migrations TO ${app}`);
  expect(await migrate(appUrl)).toEqual(failed(`The migration ${late} failed. must be owner of table applications`));
});

test("a migration that Postgres rolls back because of a deadlock is retried", async () => {
  await sql("CREATE SEQUENCE attempts");
  // nextval is not rolled back, so the sequence counts the attempts.
  mockLater[late] = `CREATE TABLE late (id int);
    DO $$ BEGIN
      IF nextval('attempts') < 3 THEN RAISE 'deadlock detected' USING ERRCODE = 'deadlock_detected'; END IF;
    END $$`;
  expect(await migrate()).toEqual({
    code: 0,
    out: `Applied ${late}\nThe database is up to date.\n`,
    err: expect.stringMatching(/^Missing: the database user .+\n$/),
  });
  expect(await sql("SELECT last_value::int AS attempts FROM attempts")).toEqual([{ attempts: 3 }]);
  await sql("DROP SEQUENCE attempts");
});

test("a migration that waits for a table does not hold up calls, and is made once the table is free", async () => {
  await applyMigrations(url);
  mockLater[late] = "ALTER TABLE applications ADD COLUMN late int";
  const meanwhile = async () => {
    // Behind a migration that waits without a limit, this reader would wait for as long as the first one reads.
    await withConnection(url, async (client) => {
      await client.query("SET statement_timeout = '5s'");
      await client.query("SELECT FROM applications");
    });
    await untilBlocked();
  };
  expect(await blockedBy("SELECT FROM applications", [], () => applyMigrations(url), meanwhile)).toEqual([late]);
});

/** Copies the project into a folder, in which a test may change prisma/. */
function copyProject(): void {
  for (const name of ["lib", "node_modules", "tsconfig.json", "package.json"])
    symlinkSync(join(process.cwd(), name), join(project, name));
  cpSync("prisma", join(project, "prisma"), { recursive: true });
}

const project = temporaryFolder();
const migrateNew = (name: string) => {
  const flags = program("lib/cli/database/migrate-new.ts", name);
  const env = { ...process.env, DATABASE_URL: url };
  return spawnSync(process.execPath, flags, { cwd: project, env, encoding: "utf8" });
};

test("a change of schema.prisma is written as a migration, once", async () => {
  copyProject();
  const schema = join(project, "prisma/schema.prisma");
  writeFileSync(schema, readFileSync(schema, "utf8").replace("model RateLimit {", "model RateLimit {\n  note String?"));
  expect(migrateNew("note-on-limits")).toMatchObject({ status: 0, stderr: "" });
  const written = readdirSync(join(project, "prisma/migrations")).find((name) => name.endsWith("_note_on_limits"));
  const script = readFileSync(join(project, "prisma/migrations", written ?? "", "migration.sql"), "utf8");
  expect(script).toContain('ALTER TABLE "rate_limits" ADD COLUMN     "note" TEXT;');
  expect(migrateNew("again").stdout).toContain("there is nothing to write");
});
