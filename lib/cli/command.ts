import { closeDatabase } from "@/lib/server/database/client";
import { useEmbeddedPostgres } from "@/lib/server/database/embedded";
import { isDatabaseFailure } from "@/lib/server/database/failure";
import { pendingMigrations } from "@/lib/server/database/migrations/pending";
import { currentSettings } from "@/lib/server/env";

/** A mistake in how a command was called: its message is all that is printed. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** Runs a command: what goes wrong is a plain sentence on standard error and exit code 1, never a stack trace. */
export async function command(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    process.exitCode = 1;
    const sentence = error instanceof Error ? error.message : String(error);
    console.error(isDatabaseFailure(error) ? `The database could not do it (${(error as Error).name}).` : sentence);
  }
}

/** Runs a command on the database the app uses: the one of DATABASE_URL or the embedded one. */
export function databaseCommand(run: () => Promise<void>): Promise<void> {
  return command(async () => {
    try {
      process.env.DATABASE_URL = currentSettings().databaseUrl ?? (await useEmbeddedPostgres());
      const pending = await pendingMigrations(process.env.DATABASE_URL);
      if (pending.length > 0) throw new UsageError("The database is behind this version: run 'npm run migrate' first.");
      await run();
    } finally {
      await closeDatabase();
    }
  });
}
