import { closeDatabase } from "@/lib/server/database/client";
import { embeddedPostgres } from "@/lib/server/database/embedded";
import { pendingMigrations } from "@/lib/server/database/migrations/pending";
import { currentSettings } from "@/lib/server/env";

/** Runs a command on the app's database, DATABASE_URL's or the embedded one, and closes the connections. */
export async function withDatabase<T>(run: (url: string) => Promise<T>): Promise<T> {
  const url = currentSettings().databaseUrl ?? (await embeddedPostgres());
  process.env.DATABASE_URL = url;
  const pending = await pendingMigrations(url);
  if (pending.length > 0) throw new Error("The database is behind this version: run 'npm run migrate' first.");
  return run(url).finally(closeDatabase);
}
