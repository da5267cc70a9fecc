import { execFileSync, spawnSync } from "node:child_process";
import { type Postgres, withClient } from "@/__tests__/support/processes/postgres";
import { hashes } from "./dump";

/** Dumps and restores with pg_dump and psql; null where they are not installed or older than the server. */
export async function dumpWithPostgresOwn(postgres: Postgres, url: string): Promise<Record<string, string> | null> {
  const [installed, server] = [versionOf("pg_dump"), await serverVersion(url)];
  if (versionOf("psql") === 0 || installed < server) return null;
  const copy = await postgres.createDatabase("restored_by_psql", { migrated: false });
  const dump = execFileSync("pg_dump", ["--no-owner", url], { maxBuffer: 1e9 });
  execFileSync("psql", ["--quiet", "--set", "ON_ERROR_STOP=1", copy], {
    input: dump,
    stdio: ["pipe", "ignore", "inherit"],
  });
  return withClient(copy, hashes);
}

function versionOf(program: string): number {
  const { stdout } = spawnSync(program, ["--version"], { encoding: "utf8" });
  return Number(/\d+/.exec(stdout ?? "")?.[0] ?? 0);
}

async function serverVersion(url: string): Promise<number> {
  return withClient(url, async (client) => {
    const { rows } = await client.query("SELECT current_setting('server_version_num')::int / 10000 AS major");
    return rows[0].major;
  });
}
