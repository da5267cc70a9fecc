import "server-only";
import { spawn } from "node:child_process";
import type { Socket } from "node:net";
import { join } from "node:path";
import type { Client } from "pg";
import { databaseName, filesIn, urlOf } from "@/lib/embedded-postgres/cluster";
import { startPostgres } from "@/lib/embedded-postgres/pg-ctl";
import { pendingOn } from "./catalogue";
import { applyMigrations } from "./migrations";
import { derivedUrl, existingKinds, makeRoles, type RoleKind, roleKinds } from "./roles";

/** The embedded database as each of its users. */
interface Urls {
  owner: string;
  app: string;
  operations: string;
}

interface Terms {
  /** Stops Postgres when this process ends, if this process started it and nobody else is connected. */
  stopAtExit?: boolean;
}

const urls = new Map<string, Promise<Urls>>();

/** The URLs of the embedded Postgres of a folder, started if it is not running, with every migration applied. */
export function embeddedPostgres(folder = join(process.cwd(), ".data"), terms: Terms = {}): Promise<Urls> {
  const known = urls.get(folder) ?? use(folder, terms);
  urls.set(folder, known);
  return known;
}

async function use(folder: string, { stopAtExit = false }: Terms): Promise<Urls> {
  const files = filesIn(folder);
  const { client, isStartedHere } = await startPostgres(files);
  if (isStartedHere && stopAtExit) process.once("exit", () => stopIfUnused(folder));
  const owner = urlOf(files, databaseName);
  await migrate(client, owner);
  // It stays connected, and does not keep the process alive.
  (client.connection.stream as Socket).unref();
  return { owner, app: urlAs("app", owner), operations: urlAs("operations", owner) };
}

async function migrate(client: Client, url: string): Promise<void> {
  const hasRoles = (await existingKinds(client, databaseName)).length === roleKinds.length;
  if (hasRoles && (await pendingOn(client)).length === 0) return;
  await applyMigrations(url);
  await makeRoles(url, (kind) => new URL(urlAs(kind, url)).password);
}

/** The owner's database as one of the roles. The reader's password comes from operations', as it does on any server. */
function urlAs(kind: RoleKind, ownerUrl: string): string {
  return derivedUrl(kind, kind === "reader" ? derivedUrl("operations", ownerUrl) : ownerUrl);
}

/** In a process of its own, since this one is ending. */
function stopIfUnused(folder: string): void {
  const args = ["--conditions=react-server", "--require", "tsx/cjs", "lib/cli/postgres.ts", "stop", "--if-unused"];
  spawn(process.execPath, [...args, "--folder", folder], {
    detached: true,
    stdio: "ignore",
    env: { ...process.env, NODE_OPTIONS: "" },
  }).unref();
}
