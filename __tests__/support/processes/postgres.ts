import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { filesIn, readLock, startPostgres as start, urlOf } from "@/lib/embedded-postgres/cluster";
import { withConnection } from "@/lib/server/db/connection";
import { applyMigrations } from "@/lib/server/db/migrations";
import { createRoles, type RoleKind } from "@/lib/server/db/roles";

/** A Postgres server for this run only, which can be killed, frozen and stopped. */
export type Postgres = Awaited<ReturnType<typeof startPostgres>>;

export async function startPostgres(parent = tmpdir()) {
  const folder = mkdtempSync(join(parent, "promises-"));
  // If this process is root, Postgres runs as another user, who must be able to enter the folder.
  chmodSync(folder, 0o755);
  const files = filesIn(folder);
  let thaw = () => {};

  const pid = () => readLock(files)?.pid ?? 0;

  async function end(signal: "SIGINT" | "SIGKILL"): Promise<void> {
    const ending = pid();
    if (ending) process.kill(ending, signal);
    while (pid()) await sleep(20);
  }

  const postgres = {
    /** Its temporary folder, removed at the end. */
    folder,
    /** Creates a database, migrated by default. */
    async createDatabase(name: string, { migrated } = { migrated: true }): Promise<string> {
      await withConnection(urlOf(files, "postgres"), (client) => client.query(`CREATE DATABASE "${name}"`));
      const url = urlOf(files, name);
      if (migrated) await applyMigrations(url);
      return url;
    },
    async start() {
      const { client } = await start(files);
      await client.end();
    },
    stop: () => end("SIGINT"),
    /** kill -9 of the postmaster. Its children then exit by themselves. */
    kill: () => end("SIGKILL"),
    freeze() {
      thaw = freezeServer(pid());
    },
    thaw: () => thaw(),
    log: () => readFileSync(files.log, "utf8"),
    async version(): Promise<string> {
      const url = urlOf(files, "postgres");
      const { rows } = await withConnection(url, (client) => client.query("SHOW server_version"));
      return rows[0].server_version;
    },
    async remove() {
      postgres.thaw();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await postgres.start();
  return postgres;
}

/** Creates the product's database users, and returns their URLs. */
export async function usersOf(owner: string): Promise<Record<RoleKind, string>> {
  const roles = await createRoles(owner);
  return Object.fromEntries(roles.map(({ kind, url }) => [kind, url])) as Record<RoleKind, string>;
}

/** Sets whether commits wait for any standby or for none. Postgres applies the reloaded setting asynchronously. */
export const setStandbys = (url: string, names: "*" | "") =>
  withConnection(url, async (client) => {
    await client.query(`ALTER SYSTEM SET synchronous_standby_names = '${names}'`);
    await client.query("SELECT pg_reload_conf()");
  });

/** Suspends a server's processes by SIGSTOP. Returns a function that resumes those that still exist. */
export function freezeServer(pid: number | undefined): () => void {
  if (!pid) throw new Error("The server does not run");
  // The postmaster is suspended first, so that it neither starts nor reaps processes.
  process.kill(pid, "SIGSTOP");
  const all = [pid, ...childrenOf(pid)];
  for (const child of all.slice(1)) process.kill(child, "SIGSTOP");
  return () => {
    for (const suspended of all.splice(0)) {
      try {
        process.kill(suspended, "SIGCONT");
      } catch {
        // The process was killed in the meantime.
      }
    }
  };
}

function childrenOf(pid: number): number[] {
  const lines = execFileSync("ps", ["-eo", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n");
  const pairs = lines.map((line) => line.trim().split(/\s+/).map(Number));
  return pairs.filter(([, parent]) => parent === pid).map(([child = 0]) => child);
}
