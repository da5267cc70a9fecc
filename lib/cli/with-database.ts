import { closeDatabase } from "@/lib/server/db/client";
import { embeddedPostgres } from "@/lib/server/db/embedded";
import { checkDatabase } from "@/lib/server/db/preflight";
import { currentSettings, requireSettings } from "@/lib/server/settings";

/** Which database user a command works as: operations', but where it makes the database, or does the app's work. */
export type Identity = "operations" | "owner" | "app";

/** Runs a command on the app's database, that of the settings or the embedded one, and closes the connections. */
export async function withDatabase<T>(run: (url: string) => Promise<T>, identity: Identity = "operations"): Promise<T> {
  const { DATABASE_URL: databaseUrl, OPERATIONS_DATABASE_URL: operationsDatabaseUrl } = currentSettings();
  const named = identity === "operations" ? (operationsDatabaseUrl ?? databaseUrl) : databaseUrl;
  if (!named) requireSettings("DATABASE_URL");
  const url = named ?? (await embeddedPostgres())[identity];
  process.env.DATABASE_URL = url;
  const { pending } = await checkDatabase(url);
  if (pending.length > 0) throw new Error("The database is behind this version: run 'npm run migrate' first.");
  return run(url).finally(closeDatabase);
}
