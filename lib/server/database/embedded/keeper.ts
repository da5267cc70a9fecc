import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import { withConnection } from "@/lib/server/database/connection";
import { applyMigrations } from "@/lib/server/database/migrations/apply";
import { pendingMigrations } from "@/lib/server/database/migrations/pending";
import { claim, giveUp, isClaimed } from "./claim";
import { filesIn } from "./files";
import { acceptLifelines } from "./lifeline";
import { type Postmaster, startPostmaster, urlOf } from "./postmaster";
import { type Installation, prepare } from "./prepare";

/**
 * The process that keeps the embedded Postgres of one folder: running while anybody uses it, again when it dies, and up
 * to date. Whoever needs the database and finds no keeper starts one; it outlives them and ends soon after the last.
 */
const lingering = 3000;
/** After a crash, sessions of the dead Postgres may hold its memory for a moment. */
const restartPatience = 5000;
const database = "rent_advance";

async function keep(folder: string): Promise<void> {
  const files = filesIn(folder);
  let installation: Installation | undefined;
  let running: Promise<Postmaster> | undefined;
  let isLeaving = false;
  let farewell: NodeJS.Timeout | undefined;

  const { server, card } = await acceptLifelines(upToDateUrl, (users) => {
    clearTimeout(farewell);
    if (users === 0) farewell = setTimeout(leave, lingering);
  });
  if (!(await claim(files, card))) process.exit(0);
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.once(signal, leave);
  farewell = setTimeout(leave, lingering);
  running = start();
  // Those who asked are told; the next one finds a new keeper, and perhaps better luck.
  running.catch(() => {});

  async function start(): Promise<Postmaster> {
    installation ??= await prepare(files);
    const postmaster = await startPatiently(installation);
    await createDatabase(urlOf(installation.identity, "postgres"));
    postmaster.exited.then(restart);
    return postmaster;
  }

  function restart(): void {
    if (isLeaving) return;
    if (!isClaimed(files, card)) return void leave();
    running = start();
    // Without Postgres this keeper is of no use: its users' lifelines end with it, and one of them starts another.
    running.catch(() => process.exit(1));
  }

  async function upToDateUrl(): Promise<string> {
    await running;
    if (!installation) throw new Error("The embedded Postgres is not running.");
    const url = urlOf(installation.identity, database);
    const pending = await pendingMigrations(url);
    if (pending.length > 0) await applyMigrations(url);
    return url;
  }

  async function leave(): Promise<void> {
    isLeaving = true;
    server.close();
    giveUp(files, card);
    const postmaster = await running?.catch(() => undefined);
    await postmaster?.stop();
    process.exit(0);
  }
}

async function startPatiently(installation: Installation): Promise<Postmaster> {
  const begun = Date.now();
  for (;;) {
    try {
      return await startPostmaster(installation);
    } catch (error) {
      if (Date.now() - begun > restartPatience) throw error;
      await sleep(250);
    }
  }
}

function createDatabase(url: string): Promise<void> {
  return withConnection(url, async (client) => {
    const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = $1", [database]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${database}`);
  });
}

keep(process.argv[2] ?? ".data");
