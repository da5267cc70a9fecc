import "server-only";
import { randomUUID } from "node:crypto";
import { Pool } from "pg";
import { driverUrl } from "@/lib/server/database-url";
import { everything, migrationList, schema, startEngine } from "./engine";

/**
 * The SQL that leads from the migrations to schema.prisma; empty if they agree. To compare them, the engine applies the
 * migrations to a shadow database, which is created on the server of `url` and dropped at the end.
 */
export async function schemaDifference(url: string): Promise<string> {
  const name = `shadow_${randomUUID()}`;
  const shadowUrl = new URL(url);
  shadowUrl.pathname = `/${name}`;
  const pool = new Pool({ connectionString: driverUrl(url) });
  const shadow = new Pool({ connectionString: driverUrl(shadowUrl.href) });
  // DROP DATABASE … WITH (FORCE) ends connections that are still closing, each with an 'error' event.
  shadow.on("error", () => {});
  await pool.query(`CREATE DATABASE "${name}"`);
  try {
    const engine = await startEngine(pool, shadow);
    const { stdout } = await engine.diff({
      from: { tag: "migrations", ...migrationList() },
      to: { tag: "schemaDatamodel", ...schema() },
      script: true,
      exitCode: null,
      filters: everything,
    });
    const sql = stdout?.trim() ?? "";
    return sql === "-- This is an empty migration." ? "" : sql;
  } finally {
    await shadow.end();
    await pool.query(`DROP DATABASE "${name}" WITH (FORCE)`);
    await pool.end();
  }
}
