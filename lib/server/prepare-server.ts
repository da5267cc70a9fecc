import "server-only";
import { prepareRequests } from "@/lib/server/calls/request-start";
import { embeddedPostgres } from "@/lib/server/database/embedded";
import { pendingMigrations } from "@/lib/server/database/migrations/pending";
import { currentSettings } from "./env";

/** Everything that has to be right before the first request; what is not is said plainly, and ends the start. */
export async function prepareServer(): Promise<void> {
  try {
    const { databaseUrl } = currentSettings();
    prepareRequests();
    if (databaseUrl) await requireUpToDate(databaseUrl);
    else process.env.DATABASE_URL = await embeddedPostgres();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exit(1);
  }
}

async function requireUpToDate(url: string): Promise<void> {
  const pending = await pendingMigrations(url).catch(() => {
    // A database that is away now may be back in a moment; until then calls are answered 503.
    process.stderr.write("The database does not answer yet.\n");
    return [];
  });
  if (pending.length === 0) return;
  throw new Error(`The database is behind this version (${pending.join(", ")}): run 'npm run migrate' first.`);
}
