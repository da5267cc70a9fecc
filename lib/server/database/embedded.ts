import "server-only";
import type { ChildProcess } from "node:child_process";
import { closeSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { locks, tryLock } from "@/lib/server/database/embedded/connect";
import { type Files, filesIn, openLog } from "@/lib/server/database/embedded/files";
import { finished } from "@/lib/server/database/embedded/finished";
import { database, keepPort, urlAs, urlOf } from "@/lib/server/database/embedded/identity";
import { isRunning, startProgram } from "@/lib/server/database/embedded/program";
import { reachPostgres } from "@/lib/server/database/embedded/reach";
import { pendingOn } from "@/lib/server/database/migrations/pending";
import { roleKinds } from "@/lib/server/database/roles/names";
import { existingRoles } from "@/lib/server/database/roles/rights";

const interval = 1000;
/** The embedded database as each of its users. */
interface Urls {
  owner: string;
  app: string;
  operations: string;
}

const urls = new Map<string, Promise<Urls>>();

/**
 * The URLs of the embedded Postgres, started if nobody has, with every migration applied. It runs for as long as this
 * process does, and is there for every other process that asks.
 */
export function embeddedPostgres(folder = join(process.cwd(), ".data")): Promise<Urls> {
  const known = urls.get(folder) ?? use(filesIn(folder));
  urls.set(folder, known);
  return known;
}

async function use(files: Files): Promise<Urls> {
  const ensureKeeper = keeperOf(files);
  const client = await reachPostgres(files, ensureKeeper);
  try {
    keepPort(files, client.port);
    const url = urlOf(files, database);
    await migrate(client, url);
    if (!(await isKept(client))) ensureKeeper();
    stay(files, client, ensureKeeper);
    return { owner: url, app: urlAs("app", url), operations: urlAs("operations", url) };
  } catch (error) {
    await client.end();
    throw error;
  }
}

async function migrate(client: Client, url: string): Promise<void> {
  const hasRoles = (await existingRoles(client, database)).length === roleKinds.length;
  if (hasRoles && (await pendingOn(client)).length === 0) return;
  const program = startProgram("migrate", [], { stdio: ["ignore", "ignore", "pipe"], env: { DATABASE_URL: url } });
  await finished(program);
}

/** Holds the users' lock for as long as this process lives, which it does not keep alive. */
async function stay(files: Files, client: Client, ensureKeeper: () => void): Promise<void> {
  (client.connection.stream as Socket).unref();
  const lost = new AbortController();
  client.once("end", () => lost.abort());
  try {
    for (;;) {
      await sleep(interval, undefined, { ref: false, signal: lost.signal });
      if (!(await isKept(client))) ensureKeeper();
    }
  } catch {
    await client.end();
  }
  stay(files, await rejoin(files, ensureKeeper), ensureKeeper);
}

async function rejoin(files: Files, ensureKeeper: () => void): Promise<Client> {
  for (;;) {
    try {
      return await reachPostgres(files, ensureKeeper);
    } catch {
      await sleep(interval, undefined, { ref: false });
    }
  }
}

const isKept = async (client: Client) => !(await tryLock(client, "xact_lock_shared", locks.kept));

function keeperOf(files: Files): () => void {
  let keeper: ChildProcess | undefined;
  return () => {
    if (keeper && isRunning(keeper)) return;
    const log = openLog(files);
    keeper = startProgram("keeper", [files.folder], { detached: true, stdio: ["ignore", log, log] });
    keeper.unref();
    closeSync(log);
  };
}
