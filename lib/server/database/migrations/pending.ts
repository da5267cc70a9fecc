import "server-only";
import { Client } from "pg";
import { migrationNames } from "./migration-files";

/** The migrations that a database still lacks, oldest first. One small query: cheap enough for every start. */
export async function pendingMigrations(url: string): Promise<string[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    return await pendingOn(client);
  } finally {
    await client.end();
  }
}

export async function pendingOn(client: Client): Promise<string[]> {
  const finished = await client
    .query("SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL")
    .catch((error: { code?: string }) => {
      // 42P01: the table is not there, so nothing has ever been applied.
      if (error.code === "42P01") return { rows: [] };
      throw error;
    });
  const names = new Set(finished.rows.map((row) => row.migration_name));
  return migrationNames().filter((name) => !names.has(name));
}
