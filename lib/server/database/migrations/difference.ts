import "server-only";
import { everything, migrationList, schema, withEngine } from "./engine";

/**
 * The SQL that leads from the migrations to schema.prisma; empty when they agree. The migrations are played into a
 * database of their own that lives only so long, on the server of `url`.
 */
export async function schemaDifference(url: string): Promise<string> {
  const { stdout } = await withEngine(url, (engine) =>
    engine.diff({
      from: { tag: "migrations", ...migrationList() },
      to: { tag: "schemaDatamodel", ...schema() },
      script: true,
      exitCode: null,
      filters: everything,
    }),
  );
  const sql = stdout?.trim() ?? "";
  return sql === "-- This is an empty migration." ? "" : sql;
}
