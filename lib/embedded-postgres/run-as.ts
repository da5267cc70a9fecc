import "server-only";
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, readFileSync, statSync } from "node:fs";

interface User {
  uid: number;
  gid: number;
}

/** How to run the programs of Postgres, which refuses to run as root. */
export interface RunAs {
  spawn(program: string, args: string[], options: SpawnOptions): ChildProcess;
  /** Runs it to its end. `said` is what it printed as an error. */
  run(program: string, args: string[]): Promise<{ code: number | null; said: string }>;
  /** Makes a file or folder that this process created theirs. */
  give(path: string): void;
}

/** As the user of this process or, where that is root, as somebody else who can use `paths`. */
export function runAs(data: string, paths: string[]): RunAs {
  const uid = process.getuid?.();
  if (uid !== 0) {
    if (existsSync(data) && uid !== undefined && statSync(data).uid !== uid)
      throw new Error(`${data} belongs to another user: run this as that user, or set DATABASE_URL.`);
    return { spawn, run: runner(spawn), give: () => {} };
  }
  const user = standIn(data);
  const spawnAs = spawnerFor(user, paths);
  return { spawn: spawnAs, run: runner(spawnAs), give: (path) => chownSync(path, user.uid, user.gid) };
}

const runner =
  (start: RunAs["spawn"]): RunAs["run"] =>
  async (program, args) => {
    const child = start(program, args, { stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    child.stderr?.on("data", (chunk) => {
      said += chunk;
    });
    // Not 'close': a Postgres that pg_ctl has started keeps the pipe open.
    const [code] = await once(child, "exit");
    child.stderr?.destroy();
    return { code, said: said.trim() };
  };

/** Postgres insists on owning its data; new data belongs to the owner of the project, if that is not root as well. */
function standIn(data: string): User {
  if (existsSync(data)) return statSync(data);
  const known = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
  const owner = statSync(process.cwd()).uid;
  const user =
    known.find(({ uid }) => uid === owner && uid !== 0) ??
    known.find(({ name }) => name === "postgres") ??
    known.find(({ name }) => name === "nobody");
  if (!user) throw new Error("Postgres does not run as root: run this as another user, or set DATABASE_URL.");
  return user;
}

function spawnerFor({ uid, gid }: User, paths: string[]): RunAs["spawn"] {
  const canReach = paths.every((path) => spawnSync("test", ["-x", path], { uid, gid }).status === 0);
  if (canReach) return (program, args, options) => spawn(program, args, { ...options, uid, gid });
  // The project lies where only root may enter (/root, a private temporary folder): one capability lets the stand-in
  // through those folders. The second does so too and more; it is for containers that leave the first out.
  // Without the secure bit, access(2), which Postgres asks about its own programs, would leave the capability out.
  const user = [`--reuid=${uid}`, `--regid=${gid}`, "--clear-groups", "--securebits=+no_setuid_fixup"];
  for (const capability of ["dac_read_search", "dac_override"]) {
    const through = [...user, `--inh-caps=+${capability}`, `--ambient-caps=+${capability}`, "--"];
    const isLetThrough = paths.every((path) => spawnSync("setpriv", [...through, "test", "-x", path]).status === 0);
    if (isLetThrough) return (program, args, options) => spawn("setpriv", [...through, program, ...args], options);
  }
  throw new Error(
    "Postgres does not run as root, and no other user can enter this folder: move the project, or set DATABASE_URL.",
  );
}
