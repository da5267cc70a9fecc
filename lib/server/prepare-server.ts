import "server-only";
import { embeddedPostgres } from "@/lib/server/database/embedded";
import { pendingMigrations } from "@/lib/server/database/migrations/pending";
import { sendBrotliFiles } from "@/lib/server/http/brotli-files";
import { noteSocketAddresses } from "@/lib/server/http/client-address";
import { setFirstHeaders } from "@/lib/server/http/first-headers";
import { currentSettings } from "./env";

/** Everything that has to be right before the first request; what is not is said plainly, and ends the start. */
export async function prepareServer(): Promise<void> {
  try {
    const { databaseUrl } = currentSettings();
    noteSocketAddresses();
    setFirstHeaders();
    if (process.env.NODE_ENV === "production") sendBrotliFiles();
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
