import { existsSync } from "node:fs";
import { isDatabaseFailure } from "@/lib/server/database/failure";

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

/** The same, ended when it is done: Prisma's migration engine leaves timers of ten seconds behind. */
export async function migrationCommand(run: () => Promise<void>): Promise<void> {
  await command(run);
  process.exit();
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
