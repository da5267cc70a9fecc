import { codeOf, innermost, isDatabaseFailure } from "@/lib/server/db/errors";
import { printable } from "./output";

/** A command that was called wrongly: the message is printed with the usage, and the exit code is 2. */
export class UsageError extends Error {
  override name = "UsageError";
}

interface CommandOptions {
  /** It uses the settings of a demo that runs, where neither database nor mail server is set. */
  joinsDemo?: boolean;
  /** Timers of Prisma's migration engine would keep the process alive for ten more seconds. */
  exitsWhenDone?: boolean;
}

/**
 * A command, as a function of its arguments that tests can call. It runs at once if its module is the program that Node was
 * started with. `--help` prints its usage. An error is printed to stderr as a sentence, without a stack trace: the exit code is
 * 2 if the command was called wrongly, otherwise 1.
 */
export function command(
  program: NodeJS.Module,
  usage: string,
  run: (args: string[]) => Promise<void>,
  { joinsDemo = true, exitsWhenDone = false }: CommandOptions = {},
): (args: string[]) => Promise<void> {
  const start = async (args: string[]) => {
    if (usage && args.some((argument) => argument === "--help" || argument === "-h")) return console.log(usage);
    try {
      require("@/lib/server/env-files.cjs");
      // Loaded here alone: production commands know no demo.
      if (joinsDemo && !process.env.DATABASE_URL && !process.env.SMTP_URL)
        require("./demo-settings").loadDemoSettings();
      // Longer than for a call: one statement of a command may insert or erase many rows.
      process.env.DATABASE_TIMEOUT_MS ||= "30000";
      await run(args);
    } catch (error) {
      const isMiscalled = isUsageError(error);
      process.exitCode = isMiscalled ? 2 : 1;
      console.error(printable(sentenceOf(error)));
      if (isMiscalled && usage) console.error(`\n${usage}`);
    }
  };
  if (require.main === program) {
    endWhenNobodyReads();
    start(process.argv.slice(2)).then(() => exitsWhenDone && process.exit());
  }
  return start;
}

/** parseArgs throws a TypeError with such a code for an argument that it does not know. */
function isUsageError(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return error instanceof UsageError || (typeof code === "string" && code.startsWith("ERR_PARSE_ARGS_"));
}

/** `… | head` closes the pipe early. Without a listener, that would end in a stack trace. */
function endWhenNobodyReads(): void {
  process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
    if (code !== "EPIPE") console.error(`The output cannot be written: ${code}.`);
    process.exit(1);
  });
}

/** Postgres's own message is in the innermost cause. A failed connection may have a code but no message. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!isDatabaseFailure(error)) return error.message;
  const inner = innermost(error);
  // Prisma puts the place in its source before the reason, which is the last line, and around what Postgres said its code.
  const last = inner.message.trim().split("\n").at(-1) ?? "";
  const reason = /Message: `(.+)`$/.exec(last)?.[1] ?? last;
  return `The database could not do it: ${reason || codeOf(error) || inner.name}`;
}
