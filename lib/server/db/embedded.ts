import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import type { Client } from "pg";
import { databaseName, filesIn, startPostgres, urlOf } from "@/lib/embedded-postgres/cluster";
import { applyMigrations } from "./migrations";
import { createRoles, derivedUrl, readRoles } from "./roles";
import { pendingOn } from "./system-queries";

const defaultFolder = () => join(process.cwd(), ".data");

/** Whether the embedded Postgres has been created. */
export const hasEmbeddedPostgres = () => existsSync(filesIn(defaultFolder()).data);

const started = new Map<string, ReturnType<typeof start>>();

/**
 * Starts the embedded Postgres of a folder if it is not running, applies every migration and returns the URLs of its users. With
 * `stopAtExit`, the end of the process that started Postgres stops it, unless another one uses it.
 */
export function embeddedPostgres(folder = defaultFolder(), { stopAtExit = false } = {}) {
  const running = started.get(folder) ?? start(folder, stopAtExit);
  started.set(folder, running);
  return running;
}

async function start(folder: string, stopAtExit: boolean) {
  const files = filesIn(folder);
  const { client, isStartedHere } = await startPostgres(files);
  if (isStartedHere && stopAtExit) process.once("exit", () => stopIfUnused(folder));
  const owner = urlOf(files, databaseName);
  await migrate(client, owner);
  // The client stays connected, which marks Postgres as in use, but it does not keep this process alive.
  (client.connection.stream as Socket).unref();
  return { owner, app: derivedUrl("app", owner), operations: derivedUrl("operations", owner) };
}

async function migrate(client: Client, url: string): Promise<void> {
  const roles = await readRoles(client);
  if (roles.every(({ exists }) => exists) && (await pendingOn(client)).length === 0) return;
  await applyMigrations(url);
  await createRoles(url, derivedUrl("operations", url), (kind) => new URL(derivedUrl(kind, url)).password);
}

/** Stops Postgres from another process, because this one is exiting. */
function stopIfUnused(folder: string): void {
  const args = [
    "--conditions=react-server",
    "--require",
    "tsx/cjs",
    "lib/cli/database/postgres.ts",
    "stop",
    "--if-unused",
  ];
  spawn(process.execPath, [...args, "--folder", folder], {
    detached: true,
    stdio: "ignore",
    env: { ...process.env, NODE_OPTIONS: "" },
  }).unref();
}
