import { closeDatabase } from "@/lib/server/database/client";
import { embeddedPostgres } from "@/lib/server/database/embedded";
import { pendingMigrations } from "@/lib/server/database/migrations/pending";
import { currentSettings } from "@/lib/server/env";

/** Which database user a command works as: all but those that make the database are operations'. */
export type Identity = "operations" | "owner";

/** Runs a command on the app's database, that of the settings or the embedded one, and closes the connections. */
export async function withDatabase<T>(run: (url: string) => Promise<T>, identity: Identity = "operations"): Promise<T> {
  const { databaseUrl, operationsDatabaseUrl } = currentSettings();
  const named = identity === "operations" ? (operationsDatabaseUrl ?? databaseUrl) : databaseUrl;
  const url = named ?? (await embeddedPostgres())[identity];
  process.env.DATABASE_URL = url;
  const pending = await pendingMigrations(url);
  if (pending.length > 0) throw new Error("The database is behind this version: run 'npm run migrate' first.");
  return run(url).finally(closeDatabase);
}
