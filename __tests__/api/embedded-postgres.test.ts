import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { callCommand } from "@/__tests__/support/call-command";
import { program } from "@/__tests__/support/program";
import { temporaryFolder } from "@/__tests__/support/temporary-folder";
import { until } from "@/__tests__/support/until";
import { databaseName, filesIn, prepareCluster, readLock, startPostgres, urlOf } from "@/lib/embedded-postgres/cluster";
import { findPrograms } from "@/lib/embedded-postgres/programs";
import { withConnection } from "@/lib/server/db/connection";

const users = new Set<ChildProcess>();

/** Starts a process that uses the embedded Postgres of a folder. */
async function embeddedUser(folder: string) {
  const child = spawn(process.execPath, program("__tests__/support/embedded-user.ts", folder), {
    stdio: ["pipe", "pipe", "inherit"],
  });
  users.add(child);
  child.once("exit", () => users.delete(child));
  const failed = once(child, "exit").then(() => Promise.reject(new Error("The user has ended: see above.")));
  failed.catch(() => {});
  const [url] = await Promise.race([once(createInterface({ input: child.stdout }), "line"), failed]);
  return {
    url: String(url),
    async leave() {
      child.stdin.end();
      await once(child, "exit");
    },
  };
}

/** The running postmaster's pid. */
const postmasterOf = (place: string) => readLock(filesIn(place))?.pid;

const query = (url: string, text: string) => withConnection(url, (client) => client.query(text));

jest.setTimeout(120_000);

// Jest runs this before the hook that removes the folder, which is defined later.
afterAll(async () => {
  // Those that a failed test left running.
  for (const user of users) user.kill("SIGKILL");
  await end();
});
// Only its owner may enter this folder. Even if the owner is root, Postgres runs as another user.
const folder = temporaryFolder();
const parent = temporaryFolder();
const newFolder = () => mkdtempSync(join(parent, "folder-"));

/** Calls `npm run postgres` and returns what it prints. */
async function run(...args: string[]): Promise<string> {
  const { out, err } = await callCommand("postgres", [...args, "--folder", folder], {});
  return `${out}${err}`.trim();
}

/** Starts a folder's Postgres without a process that uses it, and returns its URL. */
async function startHere(place = folder): Promise<string> {
  const { client } = await startPostgres(filesIn(place));
  await client.end();
  return urlOf(filesIn(place), databaseName);
}

/** Does the same with a clock that advances two seconds at each reading, so that its time limits pass at once. */
function startWithFastClock(place = folder): Promise<string> {
  let now = Date.now();
  const clock = jest.spyOn(Date, "now").mockImplementation(() => (now += 2000));
  return startHere(place).finally(() => clock.mockRestore());
}

/** Stops a folder's Postgres without waiting for its clients. */
async function end(place = folder): Promise<void> {
  const postmaster = postmasterOf(place);
  if (postmaster) process.kill(postmaster, "SIGINT");
  await until(() => postmasterOf(place) === undefined);
}

test("two first starts at once share one Postgres, migrated, which stops after both have left", async () => {
  const [first, second] = await Promise.all([embeddedUser(folder), embeddedUser(folder)]);
  expect(first.url).toBe(second.url);
  expect(readdirSync(folder)).toEqual(["postgres"]);
  expect((await query(first.url, "SELECT FROM applications")).rowCount).toBe(0);
  await first.leave();
  await query(second.url, "CREATE TABLE notes AS SELECT 'kept' AS word");
  await second.leave();
  await until(() => postmasterOf(folder) === undefined);
});

test("a first start that was killed leaves nothing behind after a later one", async () => {
  const place = newFolder();
  mkdirSync(join(place, "postgres"));
  mkdirSync(join(place, "postgres.a1B2c3"));
  writeFileSync(join(place, "postgres.a1B2c3.password"), "secret");
  await prepareCluster(filesIn(place));
  expect(readdirSync(place)).toEqual(["postgres"]);
});

describe("while the embedded Postgres is in use", () => {
  let user: Awaited<ReturnType<typeof embeddedUser>>;
  beforeAll(async () => {
    user = await embeddedUser(folder);
  });

  test("a process that joins migrates it", async () => {
    await query(user.url, "ALTER SCHEMA public RENAME TO aside; CREATE SCHEMA public");
    const other = await embeddedUser(folder);
    expect((await query(other.url, "SELECT FROM applications")).rowCount).toBe(0);
    await query(user.url, "DROP SCHEMA public CASCADE; ALTER SCHEMA aside RENAME TO public");
    await other.leave();
  });

  test("npm run migrate grants what prisma/roles.sql says, even if nothing has to be migrated", async () => {
    const project = newFolder();
    for (const name of ["lib", "prisma", "node_modules", "tsconfig.json", "package.json"])
      symlinkSync(join(process.cwd(), name), join(project, name));
    symlinkSync(folder, join(project, ".data"));
    const app = `${databaseName}_app`;
    await query(user.url, `REVOKE INSERT ON applications FROM ${app}`);
    const { DATABASE_URL: _, ...env } = process.env;
    const command = program("lib/cli/database/migrate.ts");
    expect(spawnSync(process.execPath, command, { cwd: project, env, encoding: "utf8" })).toMatchObject({
      stdout: "The database is up to date.\n",
      stderr: "",
    });
    const mayInsert = `SELECT has_table_privilege('${app}', 'applications', 'INSERT') AS may`;
    expect((await query(user.url, mayInsert)).rows).toEqual([{ may: true }]);
  });

  test("the server is durable, in UTF-8 and UTC, listens on this machine alone, and runs as its owner, who is not root", async () => {
    const settings = "fsync synchronous_commit server_encoding TimeZone listen_addresses password_encryption";
    const shown = settings.split(" ").map((name) => `current_setting('${name}')`);
    const { rows } = await query(user.url, `SELECT ${shown.join(" || ' ' || ")}`);
    expect(Object.values(rows[0])).toEqual(["on on UTF8 UTC 127.0.0.1 scram-sha-256"]);
    const wrong = user.url.replace(/:[^:@]+@/, ":wrong@");
    await expect(query(wrong, "SELECT 1")).rejects.toThrow(/password/);
    for (const name of ["", "postgres/password"]) expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
    expect(statSync(`/proc/${postmasterOf(folder)}`).uid).not.toBe(0);
  });

  test("a copy of a folder in use has a Postgres of its own", async () => {
    const copy = newFolder();
    spawnSync("cp", ["-a", `${folder}/.`, copy]);
    expect(await startWithFastClock(copy)).not.toBe(user.url);
    expect((await query(user.url, "SELECT 1")).rowCount).toBe(1);
    await end(copy);
  });

  test("the server keeps running while another process uses it", async () => {
    const other = await embeddedUser(folder);
    const running = postmasterOf(folder);
    await user.leave();
    expect(await run("stop", "--if-unused")).toBe("Postgres is still in use.");
    expect([postmasterOf(folder), (await query(other.url, "SELECT 1")).rowCount]).toEqual([running, 1]);
    expect(await run("status")).toMatch(/^Postgres is running on port \d+\.$/);
    await other.leave();
    expect(await run("stop")).toBe("Postgres has stopped.");
    expect([await run("stop"), await run("status")]).toEqual(["Postgres is not running.", "Postgres is not running."]);
  });
});

test("after kill -9 of Postgres, nothing is lost at the next start", async () => {
  const url = await startHere();
  await query(url, "INSERT INTO notes VALUES ('before the kill')");
  process.kill(postmasterOf(folder) as number, "SIGKILL");
  expect(await startHere()).toBe(url);
  expect((await query(url, "SELECT FROM notes")).rowCount).toBe(2);
});

test("a stale lock file whose process ID belongs to another process neither ends that process nor blocks the start", async () => {
  const lock = join(folder, "postgres/postmaster.pid");
  const url = await startHere();
  const lockFile = readFileSync(lock, "utf8");
  await end();
  const { uid, gid } = statSync(join(folder, "postgres"));
  const other = spawn("sleep", ["60"], { uid, gid });
  writeFileSync(lock, lockFile.replace(/^\d+/, String(other.pid)));
  chownSync(lock, uid, gid);
  expect([await run("status"), await run("stop")]).toEqual(["Postgres is not running.", "Postgres is not running."]);
  expect(await startWithFastClock()).toBe(url);
  expect(other.exitCode ?? other.signalCode).toBeNull();
  other.kill();
});

describe("a start that fails", () => {
  beforeEach(() => end());

  test("a start reports that its password is refused", async () => {
    const password = join(folder, "postgres/password");
    const original = readFileSync(password, "utf8");
    writeFileSync(password, "wrong");
    const refused = /^The embedded Postgres in .+ refuses connections: password authentication failed .+\.$/;
    await expect(startHere()).rejects.toThrow(refused);
    writeFileSync(password, original);
  });

  test.each([
    ["PG_VERSION", /pg_ctl: directory .+ is not a database cluster directory/],
    ["pg_hba.conf", /FATAL: +could not load .+pg_hba\.conf/],
  ])("a start without the file %s says what is damaged", async (name, cause) => {
    const file = join(folder, "postgres", name);
    renameSync(file, `${file}.kept`);
    const sentence = new RegExp(`^The embedded Postgres did not start: .*${cause.source}.* Its log is .+\\.$`);
    await expect(startWithFastClock()).rejects.toThrow(sentence);
    renameSync(`${file}.kept`, file);
  });
});

test("if no database is configured, the error says so and names the folder that cannot be created", async () => {
  const file = join(newFolder(), "file");
  writeFileSync(file, "");
  await expect(prepareCluster(filesIn(join(file, "postgres")))).rejects.toThrow(
    `No database is configured, and the embedded Postgres cannot create ${join(file, "postgres")}: ENOTDIR.`,
  );
});

test("a system without binaries is reported", () => {
  jest.spyOn(process, "cwd").mockReturnValue(newFolder());
  expect(() => findPrograms()).toThrow(/no embedded Postgres for .+ set DATABASE_URL/);
});
