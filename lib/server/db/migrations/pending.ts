import "server-only";
import type { ClientBase } from "pg";
import { migrationNames } from "./migration-files";

/** The migrations that a database lacks, oldest first. One small query instead of the engine: cheap at every start. */
export async function pendingOn(client: ClientBase): Promise<string[]> {
  const finished = await client
    .query("SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL")
    .catch((error: { code?: string }) => {
      // SQLSTATE undefined_table: no migration has ever been applied.
      if (error.code === "42P01") return { rows: [] };
      throw error;
    });
  const names = new Set(finished.rows.map((row) => row.migration_name));
  return migrationNames().filter((name) => !names.has(name));
}
