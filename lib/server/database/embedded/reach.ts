import "server-only";
import type { ChildProcess } from "node:child_process";
import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { connect, locks, tryLock } from "./connect";
import { type Files, lastLine } from "./files";
import { readIdentity } from "./identity";
import { freePort, isListening } from "./port";
import { type Postmaster, readPostmaster, startPostmaster } from "./postmaster";
import { type Installation, prepare } from "./prepare";
import { isRunning } from "./program";

const patience = 120_000;
/** After a crash, sessions of the dead Postgres may hold its memory for a moment. */
const restartPatience = 5000;
/** A Postgres that has just made its lock file listens within this time. */
const silence = 3000;

/** A user's connection to the Postgres of a folder, which is started where none runs. */
export async function reachPostgres(files: Files, beforeStart = () => {}): Promise<Client> {
  const begun = Date.now();
  let installation: Installation | undefined;
  let child: ChildProcess | undefined;
  let triedSince = 0;
  let seen: { pid?: number; since: number } = { since: begun };
  try {
    for (; Date.now() - begun < patience; await sleep(15)) {
      const client = await join(files);
      if (client) return client;
      if (child && isRunning(child)) continue;
      const postmaster = readPostmaster(files);
      if (postmaster?.pid !== seen.pid) seen = { pid: postmaster?.pid, since: Date.now() };
      if (postmaster && !(await isDeserted(postmaster, seen.since))) continue;
      // Of several that start one at once, Postgres's own lock lets one win. The others join it in a moment.
      if (child && Date.now() - triedSince > restartPatience) break;
      if (child) await sleep(250);
      else triedSince = Date.now();
      installation ??= await prepare(files);
      beforeStart();
      if (postmaster && readPostmaster(files)?.pid === postmaster.pid) rmSync(files.lock, { force: true });
      child = startPostmaster(installation, await freePort(readIdentity(files).port));
    }
  } catch (error) {
    child?.kill("SIGINT");
    throw error;
  }
  throw new Error(`The embedded Postgres did not start: ${lastLine(files)} Its log is ${files.log}.`);
}

async function join(files: Files): Promise<Client | null> {
  const connected = await connect(files, "user");
  if (!connected) return null;
  const { client } = connected;
  // The keeper takes this lock alone before it stops Postgres: of one that joins and one that stops it, one wins.
  const isIn = await tryLock(client, "lock_shared", locks.inUse).catch(() => false);
  if (isIn) return client;
  await client.end();
  return null;
}

/**
 * Whether the lock file's number belongs to some other process: a Postgres listens even while it stops or is frozen.
 * Should one hold the data all the same, its shared memory keeps a second out.
 */
async function isDeserted({ port, isElsewhere }: Postmaster, since: number): Promise<boolean> {
  return Date.now() - since > silence && (isElsewhere || !(await isListening(port)));
}
