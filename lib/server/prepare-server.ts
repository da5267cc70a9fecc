import "server-only";
import { endOnSignals } from "@/lib/server/calls/lame-duck";
import { prepareRequests } from "@/lib/server/calls/request-start";
import { withConnection } from "@/lib/server/database/connection";
import { embeddedPostgres } from "@/lib/server/database/embedded";
import { pendingMigrations } from "@/lib/server/database/migrations/pending";
import { excessOf } from "@/lib/server/database/roles/excess";
import { currentSettings } from "./env";

/** Checks settings and database before the first request. An error is printed as one sentence and ends the process. */
export async function prepareServer(): Promise<void> {
  try {
    const { databaseUrl, shutdownDelayMs, metricsPort } = currentSettings();
    prepareRequests();
    // Set by `npm start`. Without it, as in `next dev`, Next closes its listener at once.
    if (process.env.NEXT_MANUAL_SIG_HANDLE) endOnSignals(shutdownDelayMs);
    if (databaseUrl) {
      await requireUpToDate(databaseUrl);
      await tellUnguarded(databaseUrl);
    } else process.env.DATABASE_URL = (await embeddedPostgres()).app;
    // Loaded where it is asked for: it would make every start slower.
    if (metricsPort) await (await import("@/lib/server/calls/metrics")).serveMetrics(metricsPort);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exit(1);
  }
}

async function requireUpToDate(url: string): Promise<void> {
  const pending = await pendingMigrations(url).catch(() => {
    // The database may come back in a moment; until then calls get 503.
    process.stderr.write("The database does not answer yet.\n");
    return [];
  });
  if (pending.length === 0) return;
  throw new Error(`The database is behind this version (${pending.join(", ")}): run 'npm run migrate' first.`);
}

/** A lender may use one database user for everything, but is told what that leaves unguarded. */
async function tellUnguarded(url: string): Promise<void> {
  const excess = await withConnection(url, (client) => excessOf(client, "app")).catch(() => []);
  if (excess.length === 0) return;
  process.stderr.write(
    `The app's database user ${excess.join(", ")}: submitted answers, consent records and events are not guarded from it. 'npm run roles' makes a user of its own for the app.\n`,
  );
}
