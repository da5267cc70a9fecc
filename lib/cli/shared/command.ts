import { fstatSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { printable } from "@/lib/domain/printable-text";
import { closeDatabase, openDatabase } from "@/lib/server/db/client";
import { embeddedPostgres, hasEmbeddedPostgres } from "@/lib/server/db/embedded";
import { codeOf, innermost, isDatabaseFailure } from "@/lib/server/db/errors";
import { checkDatabase } from "@/lib/server/db/preflight";
import { currentSettings, requireSettings } from "@/lib/server/settings";
import { type Flags, forgottenDashes, helpOf, parse, UsageError, type Values } from "./flags";

interface Declaration<F extends Flags> {
  /** What the command does and how it is called. The help adds the flags. */
  usage: string;
  flags?: F;
  /** Whether it takes words besides flags: an action, a reference … */
  takesWords?: boolean;
}

/**
 * Wraps a command in a function of its arguments, which tests can call. The command runs at once if its module is the program
 * that Node was started with. `--help` prints the usage. An error is printed to stderr as a sentence without a stack trace.
 * The exit code is 2 for invalid arguments and 1 for any other error. `joinsDemo`: the command uses the settings of a running demo
 * if neither a database nor a mail server is configured. `isService`: it runs until it is stopped, with the app's time limit for the
 * database.
 */
export function command<const F extends Flags>(
  program: NodeJS.Module,
  { usage, flags = {} as F, takesWords = false }: Declaration<F>,
  run: (call: { values: Values<F>; words: string[] }) => Promise<void>,
  { joinsDemo = true, isService = false } = {},
): (args: string[]) => Promise<void> {
  const start = async (args: string[]) => {
    const name = nameOf(program);
    const help = helpOf(usage, flags, name);
    if (args.some((argument) => argument === "--help" || argument === "-h")) return console.log(help);
    try {
      const forgotten = forgottenDashes(args, flags, name);
      if (forgotten) {
        process.exitCode = 2;
        return console.error(printable(forgotten));
      }
      const call = parse(args, flags, takesWords);
      require("@/lib/server/start-process.cjs");
      // Loaded only if needed, so that commands in production never load demo code.
      const { DATABASE_URL, OPERATIONS_DATABASE_URL, SMTP_URL } = process.env;
      if (joinsDemo && !DATABASE_URL && !OPERATIONS_DATABASE_URL && !SMTP_URL)
        require("./demo-settings").loadDemoSettings();
      // The limit is longer than for an API call, because one statement of a command may insert or erase many rows.
      if (!isService) process.env.DATABASE_TIMEOUT_MS ||= "30000";
      await run(call);
    } catch (error) {
      const isMiscalled = isUsageError(error);
      process.exitCode = isMiscalled ? 2 : 1;
      if (isMiscalled) console.error(`${help}\n`);
      console.error(printable(sentenceOf(error)));
    }
  };
  if (require.main === program) {
    // pg would warn about how Prisma reads several tables in one transaction, which no operator can change.
    process.noDeprecation = true;
    exitWhenOutputCloses();
    writeFilesWhole();
    start(process.argv.slice(2));
  }
  return start;
}

/** The name of a command's script in package.json, which has a colon where its file has a dash. */
const nameOf = ({ filename }: NodeJS.Module) => basename(filename, ".ts").replace("-", ":");

/** parseArgs reports an unknown argument with a TypeError whose code begins with ERR_PARSE_ARGS_. */
function isUsageError(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return error instanceof UsageError || (typeof code === "string" && code.startsWith("ERR_PARSE_ARGS_"));
}

/** `… | head` closes the pipe early. Without a listener, the write error would print a stack trace. */
function exitWhenOutputCloses(): void {
  process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
    if (code !== "EPIPE") console.error(`The output cannot be written: ${code}.`);
    process.exit(1);
  });
}

/**
 * If standard output is a file on a disk that is almost full, Node's stream writes a part and reports no error
 * (SyncWriteStream). The command would then commit links that nobody can read.
 */
function writeFilesWhole(): void {
  if (!fstatSync(1).isFile()) return;
  process.stdout._write = (text, _encoding, done) => {
    try {
      writeFileSync(1, text);
      done();
    } catch (error) {
      done(error as Error);
    }
  };
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const sentence = isDatabaseFailure(error) ? databaseSentence(error) : error.message;
  // SQLSTATE insufficient_privilege, and invalid_schema_name: Postgres hides the schema from a user who may not use it.
  if (!/^(42501|3F000)$/.test(codeOf(error) ?? "")) return sentence;
  return `${sentence.replace(/\.$/, "")}. Check which database user OPERATIONS_DATABASE_URL or DATABASE_URL names.`;
}

/** Postgres's own message is in the innermost cause. A failed connection may have a code but no message. */
function databaseSentence(error: Error): string {
  const inner = innermost(error);
  // A Prisma message starts with a source location. Its last line has the reason, which may wrap Postgres's own message.
  const last = inner.message.trim().split("\n").at(-1) ?? "";
  const reason = /Message: `(.+)`$/.exec(last)?.[1] ?? last;
  return `Database error: ${reason || codeOf(error) || inner.name}`;
}

/** For a command without the database that it needs, which must not start an empty embedded one instead. */
export function refuseWithoutDatabase({ mayCreate = false } = {}): void {
  requireSettings("DATABASE_URL");
  if (currentSettings().OPERATIONS_DATABASE_URL)
    throw new Error("OPERATIONS_DATABASE_URL is set, but this command needs DATABASE_URL.");
  if (mayCreate || hasEmbeddedPostgres()) return;
  throw new Error(
    "No database is set up: set DATABASE_URL or, for operations, OPERATIONS_DATABASE_URL. Without them, 'npm run migrate' creates an embedded database for development.",
  );
}

/** The database role of a command: the owner sets up the database, the app does the app's work, operations the rest. */
type Identity = "operations" | "owner" | "app";

/** Runs a command on the configured database or, if none is set, on the embedded one. Closes the connections afterwards. */
export async function withDatabase<T>(run: (url: string) => Promise<T>, identity: Identity = "operations"): Promise<T> {
  const { DATABASE_URL: databaseUrl, OPERATIONS_DATABASE_URL: operationsDatabaseUrl } = currentSettings();
  const configuredUrl = identity === "operations" ? (operationsDatabaseUrl ?? databaseUrl) : databaseUrl;
  if (!configuredUrl) refuseWithoutDatabase();
  const url = configuredUrl ?? (await embeddedPostgres())[identity];
  openDatabase(url);
  const { pending } = await checkDatabase(url);
  if (pending.length > 0) throw new Error("The database has pending migrations: run 'npm run migrate' first.");
  return run(url).finally(closeDatabase);
}
