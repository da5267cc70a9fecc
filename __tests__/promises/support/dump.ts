import { execFileSync, spawnSync } from "node:child_process";
import type { Client } from "pg";
import type { Postgres } from "@/__tests__/support/processes/postgres";
import { until } from "@/__tests__/support/until";
import { withConnection } from "@/lib/server/db/connection";

async function tablesOf(client: Client): Promise<string[]> {
  const { rows } = await client.query(
    "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND tablename <> '_prisma_migrations' ORDER BY 1",
  );
  return rows.map(({ tablename }) => tablename);
}

/** The columns of a table that can be written, so without generated ones, as a list for SQL. */
export const writtenColumns = `
  SELECT string_agg(quote_ident(column_name), ', ') AS columns FROM information_schema.columns
  WHERE table_schema = current_schema() AND table_name = $1 AND is_generated = 'NEVER'`;

export type Dump = Record<string, unknown[]>;

/** Dumps every row as JSON by SQL, which works without pg_dump. */
export function dumpOf(url: string): Promise<Dump> {
  return withConnection(url, async (client) => {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const dump: Dump = {};
    for (const table of await tablesOf(client)) {
      const { rows } = await client.query(`SELECT to_json(t)::text AS row FROM ${table} t`);
      dump[table] = rows.map(({ row }) => row);
    }
    return dump;
  });
}

/** Restores a dump into an empty, migrated database. */
export function restore(url: string, dump: Dump): Promise<void> {
  return withConnection(url, async (client) => {
    // Turns off foreign keys and triggers, so that the order of the tables does not matter.
    await client.query("SET session_replication_role = replica");
    for (const table of Object.keys(dump)) {
      const [{ columns }] = (await client.query(writtenColumns, [table])).rows;
      await client.query(
        `INSERT INTO ${table} (${columns})
         SELECT ${columns} FROM unnest($1::json[]) row, json_populate_record(NULL::${table}, row)`,
        [dump[table]],
      );
    }
  });
}

/** Returns one hash per table, over all its rows, once the worker has appended every event to the evidence log. */
export async function hashes(client: Client): Promise<Record<string, string>> {
  await until(async () => (await client.query("SELECT FROM evidence_pending")).rowCount === 0, 120_000);
  const found: Record<string, string> = {};
  for (const table of await tablesOf(client)) {
    const { rows } = await client.query(
      `SELECT count(*) || ' rows, ' || md5(coalesce(string_agg(md5(t::text), '' ORDER BY md5(t::text)), '')) AS hash FROM ${table} t`,
    );
    found[table] = rows[0].hash;
  }
  return found;
}

/** Dumps and restores with pg_dump and psql. Returns the hashes, or null if they are missing or pg_dump is too old. */
export async function dumpWithPostgresOwn(postgres: Postgres, url: string): Promise<Record<string, string> | null> {
  if (versionOf("psql") === 0 || versionOf("pg_dump") < Number.parseInt(await postgres.version(), 10)) return null;
  const copy = await postgres.createDatabase("restored_by_psql", { migrated: false });
  const dump = execFileSync("pg_dump", ["--no-owner", url], { maxBuffer: 1e9 });
  execFileSync("psql", ["--quiet", "--set", "ON_ERROR_STOP=1", copy], {
    input: dump,
    stdio: ["pipe", "ignore", "inherit"],
  });
  return withConnection(copy, hashes);
}

function versionOf(program: string): number {
  const { stdout } = spawnSync(program, ["--version"], { encoding: "utf8" });
  return Number(/\d+/.exec(stdout ?? "")?.[0] ?? 0);
}
