import { existsSync } from "node:fs";
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
    readEnvironmentFiles();
    // A command does more at once than a call, and nobody waits for it with a phone in hand.
    process.env.DATABASE_TIMEOUT_MS ||= "30000";
    await run();
  } catch (error) {
    process.exitCode = 1;
    console.error(sentenceOf(error));
  }
}

/** The files that Next reads for the app; what the environment itself says wins. */
function readEnvironmentFiles(): void {
  for (const file of [".env.local", ".env"]) if (existsSync(file)) process.loadEnvFile(file);
}

/** What a database says stands in the innermost error; a failed connection has a code, and not always words. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!isDatabaseFailure(error)) return error.message;
  let inner: Error = error;
  while (inner.cause instanceof Error) inner = inner.cause;
  const { code } = inner as { code?: string };
  return `The database could not do it: ${inner.message || code || inner.name}`;
}

/** Gives a command the database the app uses: the one of DATABASE_URL or the embedded one. */
export async function withDatabase<T>(run: (url: string) => Promise<T>): Promise<T> {
  const url = currentSettings().databaseUrl ?? (await useEmbeddedPostgres());
  process.env.DATABASE_URL = url;
  const pending = await pendingMigrations(url);
  if (pending.length > 0) throw new Error("The database is behind this version: run 'npm run migrate' first.");
  try {
    return await run(url);
  } finally {
    // Loaded late: the demo begins before the client it leads to has been generated.
    const { closeDatabase } = await import("@/lib/server/database/client");
    await closeDatabase();
  }
}
