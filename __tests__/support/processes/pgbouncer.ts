import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isListening } from "@/lib/embedded-postgres/cluster";
import { runAs } from "@/lib/embedded-postgres/programs";
import { freePort } from "./app";

/** A PgBouncer program. `number` is its version, such as 124 for 1.24. */
interface Program {
  path: string;
  version: string;
  number: number;
}

/** Finds Debian's PgBouncer and those that PGBOUNCER names (several separated by a colon), the oldest first. */
export function pgbouncers(): Program[] {
  const paths = ["/usr/sbin/pgbouncer", ...(process.env.PGBOUNCER ?? "").split(":").filter(Boolean)];
  const found = paths.flatMap((path) => {
    const { stdout } = spawnSync(path, ["--version"], { encoding: "utf8" });
    const [version, major, minor] = /(\d+)\.(\d+)\.\d+/.exec(stdout ?? "") ?? [];
    return version ? [{ path, version, number: Number(major) * 100 + Number(minor) }] : [];
  });
  return found.sort((a, b) => a.number - b.number);
}

/** Starts a transaction pooler in front of a database. The returned `url` connects through the pooler. */
export async function startPgbouncer({ path }: Program, url: string, settings: Record<string, string> = {}) {
  const target = new URL(url);
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "pgbouncer-"));
  chmodSync(folder, 0o755);
  const users = join(folder, "users.txt");
  writeFileSync(users, `"${target.username}" "${decodeURIComponent(target.password)}"\n`);
  const all = {
    listen_addr: "127.0.0.1",
    listen_port: String(port),
    unix_socket_dir: "",
    auth_type: "scram-sha-256",
    auth_file: users,
    pool_mode: "transaction",
    ...settings,
  };
  const configuration = join(folder, "pgbouncer.ini");
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  const database = `* = host=${target.hostname} port=${target.port}`;
  writeFileSync(configuration, ["[databases]", database, "[pgbouncer]", ...lines, ""].join("\n"));
  // PgBouncer, like Postgres, does not run as root.
  const command = runAs(join(folder, "none"), [path, folder]).command(path, ["-q", configuration]);
  const child = spawn(...command, { stdio: ["ignore", "ignore", "pipe"] });
  let output = "";
  child.stderr?.on("data", (chunk) => (output += chunk));
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer did not start: ${output}`);
    await sleep(20);
  }
  const through = new URL(url);
  through.host = `127.0.0.1:${port}`;
  return {
    url: through.href,
    async stop() {
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
