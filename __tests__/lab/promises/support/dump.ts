import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { Client } from "pg";
import { until } from "@/__tests__/support/until";
import { withConnection } from "@/lib/server/db/connection";

async function tablesOf(client: Client): Promise<string[]> {
  const { rows } = await client.query(
    "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND tablename <> '_prisma_migrations' ORDER BY 1",
  );
  return rows.map(({ tablename }) => tablename);
}

/** Every row of every table as JSON. */
export function dumpOf(url: string): Promise<Record<string, string[]>> {
  return withConnection(url, async (client) => {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const dump: Record<string, string[]> = {};
    for (const table of await tablesOf(client)) {
      const { rows } = await client.query(`SELECT to_json(t)::text AS row FROM ${table} t`);
      dump[table] = rows.map(({ row }) => row);
    }
    return dump;
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

/** Dumps a database with the pg_dump beside this Postgres program, and restores it into an empty one with its psql. */
export function copyByPgDump(program: string, from: string, to: string): void {
  const run = (tool: string, args: string[], input?: Buffer) =>
    execFileSync(join(program, "..", tool), args, { input, maxBuffer: 1e9, stdio: ["pipe", "pipe", "inherit"] });
  run("psql", ["--quiet", "--set", "ON_ERROR_STOP=1", to], run("pg_dump", ["--no-owner", from]));
}
