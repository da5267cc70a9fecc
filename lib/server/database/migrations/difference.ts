import "server-only";
import { randomUUID } from "node:crypto";
import { Pool } from "pg";
import { everything, migrationList, schema, startEngine } from "./engine";

/**
 * The SQL that leads from the migrations to schema.prisma; empty when they agree. The migrations are played into a
 * database of their own that lives only so long, on the server of `url`.
 */
export async function schemaDifference(url: string): Promise<string> {
  const name = `shadow_${randomUUID()}`;
  const shadowUrl = new URL(url);
  shadowUrl.pathname = `/${name}`;
  const pool = new Pool({ connectionString: url });
  const shadow = new Pool({ connectionString: shadowUrl.href });
  // Connections that are still closing when their database is dropped.
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
