import { closeDatabase, openDatabase } from "@/lib/server/db/client";
import { embeddedPostgres } from "@/lib/server/db/embedded";
import { checkDatabase } from "@/lib/server/db/preflight";
import { currentSettings, requireSettings } from "@/lib/server/settings";

/** The database role of a command: the owner sets up the database, the app does the app's work, operations the rest. */
type Identity = "operations" | "owner" | "app";

/** Runs a command on the configured database, or on the embedded one if none is set. Closes the connections afterwards. */
export async function withDatabase<T>(run: (url: string) => Promise<T>, identity: Identity = "operations"): Promise<T> {
  const { DATABASE_URL: databaseUrl, OPERATIONS_DATABASE_URL: operationsDatabaseUrl } = currentSettings();
  const configuredUrl = identity === "operations" ? (operationsDatabaseUrl ?? databaseUrl) : databaseUrl;
  if (!configuredUrl) requireSettings("DATABASE_URL");
  const url = configuredUrl ?? (await embeddedPostgres())[identity];
  openDatabase(url);
  const { pending } = await checkDatabase(url);
  if (pending.length > 0) throw new Error("The database has pending migrations: run 'npm run migrate' first.");
  return run(url).finally(closeDatabase);
}
