import type { EventEmitter } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { addressOf } from "@/lib/server/database-url";
import { openDatabase } from "@/lib/server/db/client";
import { withConnection } from "@/lib/server/db/connection";
import { embeddedPostgres } from "@/lib/server/db/embedded";
import { DatabaseUnavailable } from "@/lib/server/db/errors";
import { checkDatabase } from "@/lib/server/db/preflight";
import { excessPrivileges, missingForDesk } from "@/lib/server/db/system-queries";
import { keyNotice } from "@/lib/server/evidence/key";
import { buildInfo } from "@/lib/server/http/build-info";
import { logProcess } from "@/lib/server/http/log";
import { printError } from "@/lib/server/json-console.mjs";
import { currentSettings, requireSettings, requireSignIn } from "@/lib/server/settings";

const interval = 1000;

/** Checks the settings and the database before the first request. An error is printed as one sentence and ends the process. */
export async function prepareServer(): Promise<void> {
  try {
    const { DATABASE_URL, appUrl, HOST, PORT, METRICS_PORT, WORKER } = currentSettings();
    if (process.env.NODE_ENV === "production") requireSettings();
    const notice = keyNotice(WORKER);
    const url = DATABASE_URL ?? (await embeddedPostgres(undefined, { stopAtExit: true })).app;
    openDatabase(url);
    // Begun before the start is logged, so that logging does not delay the check.
    const database = DATABASE_URL ? awaitDatabase(url) : startSending(url);
    const start = { ...buildInfo(), ...addressOf(url), listens: `${HOST ?? "*"}:${PORT}`, address: appUrl };
    logProcess("info", { start });
    await database;
    if (notice) printError(notice);
    // Imported only if the setting asks for it, because the metrics module slows the start.
    if (METRICS_PORT) await (await import("@/lib/server/http/metrics")).serveMetrics(METRICS_PORT);
  } catch (error) {
    end(error);
  }
}

/** The desk runs as operations, starts no worker and waits as long for the database as the commands do. */
export async function prepareDesk(): Promise<void> {
  try {
    const { OPERATIONS_DATABASE_URL, DESK_HOST, DESK_PORT, deskUrl } = currentSettings();
    if (process.env.NODE_ENV === "production") requireSettings();
    requireSignIn();
    const url = OPERATIONS_DATABASE_URL ?? (await embeddedPostgres(undefined, { stopAtExit: true })).operations;
    openDatabase(url);
    const { pending } = await checkDatabase(url);
    if (pending.length > 0) throw pendingMigrations(pending);
    const missing = await missingForDesk();
    if (missing.length > 0) throw new Error(`The desk lacks ${missing.join(", ")}.`);
    const start = { ...buildInfo(), ...addressOf(url), listens: `${DESK_HOST}:${DESK_PORT}`, address: deskUrl };
    logProcess("info", { start });
  } catch (error) {
    end(error);
  }
}

/** Starts the worker. It is imported only if it runs, because loading it slows the start. */
async function startSending(url: string): Promise<void> {
  if (!currentSettings().WORKER) return;
  const { startWorker } = await import("@/lib/server/delivery/worker");
  // shutdown.mjs does not emit 'shutdown'. It calls the event's listeners before it exits and awaits their promises.
  (process as EventEmitter).on("shutdown", startWorker(url, { spacingMs: 200 }).stop);
}

const pendingMigrations = (pending: string[]) =>
  new Error(`The database has pending migrations (${pending.join(", ")}): run 'npm run migrate' first.`);

function end(error: unknown): never {
  printError(error instanceof Error ? error.message : error);
  process.exit(1);
}

/** Waits for a database that starts after the app; calls get 503 meanwhile. Any other error ends the process. */
async function awaitDatabase(url: string, reported = ""): Promise<void> {
  try {
    await startWithDatabase(url);
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error;
    if (error.message !== reported) printError(error.message);
    sleep(interval, undefined, { ref: false })
      .then(() => awaitDatabase(url, error.message))
      .catch(end);
  }
}

/** Starts the worker. Throws if migrations are pending or the app's database user lacks a privilege. */
async function startWithDatabase(url: string): Promise<void> {
  const { pending, missing, waitsForStandby } = await checkDatabase(url);
  if (pending.length > 0) throw pendingMigrations(pending);
  if (missing.length > 0)
    throw new Error(
      `The app's database user lacks ${missing.join(", ")}: run 'npm run roles' as the owner, which grants its privileges.`,
    );
  logProcess("info", { database: "ready", commitsWaitForStandby: waitsForStandby });
  await startSending(url);
  // Not awaited: the check reads every role and table, and it only warns.
  void warnOverPrivileged(url);
}

/** A lender may use one database user for everything. The warning says what may then not be protected from the app. */
async function warnOverPrivileged(url: string): Promise<void> {
  const reasons = await withConnection(url, (client) => excessPrivileges(client, "app")).catch(() => []);
  if (reasons.length === 0) return;
  printError(
    `The app's database user ${reasons.join(", ")}, which is more than the app needs: submitted answers, consent records and events may not be protected from it. Run 'npm run roles' to create a separate user for the app.`,
  );
}
