import { existsSync } from "node:fs";
import { isDatabaseFailure } from "@/lib/server/database/failure";

/** A mistake in how a command was called: its message is all that is printed. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** Runs a command. An error is printed to stderr as a sentence, without a stack trace, and the exit code is 1. */
export async function command(run: () => Promise<void>): Promise<void> {
  try {
    readEnvironmentFiles();
    // Longer than for a call: one statement of a command may insert or erase many rows.
    process.env.DATABASE_TIMEOUT_MS ||= "30000";
    await run();
  } catch (error) {
    process.exitCode = 1;
    console.error(sentenceOf(error));
  }
}

/** Exits when done: timers of Prisma's migration engine would keep the process alive for ten more seconds. */
export async function migrationCommand(run: () => Promise<void>): Promise<void> {
  await command(run);
  process.exit();
}

/** The same files that Next reads. loadEnvFile does not override variables that are already set. */
function readEnvironmentFiles(): void {
  for (const file of [".env.local", ".env"]) if (existsSync(file)) process.loadEnvFile(file);
}

/** Postgres's own message is in the innermost cause. A failed connection may have a code but no message. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!isDatabaseFailure(error)) return error.message;
  let inner: Error = error;
  while (inner.cause instanceof Error) inner = inner.cause;
  const { code } = inner as { code?: string };
  return `The database could not do it: ${inner.message || code || inner.name}`;
}
