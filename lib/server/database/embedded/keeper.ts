import "server-only";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { type Connected, connect, locks, tryLock } from "./connect";
import { type Files, filesIn } from "./files";

/** After a longer recovery, the users it was for start another. */
const patience = 30_000;
const interval = 1000;
/** How many looks in a row find nobody before Postgres is stopped: the next command may come in a moment. */
const quietLooks = 3;

/**
 * The process that stops the embedded Postgres of one folder soon after its last user has left. There is one, since it
 * holds a lock that only one can hold, and it ends with Postgres. Users start the first one, and another if it is killed.
 */
async function keep(files: Files): Promise<void> {
  const connected = await waitFor(files);
  if (!connected || !(await tryLock(connected.client, "lock", locks.kept))) return;
  // The fast shutdown: it ends sessions, finishes what is committed, and leaves nothing to recover.
  const stop = () => process.kill(connected.postmaster.pid, "SIGINT");
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.once(signal, stop);
  await untilUnused(connected.client);
  stop();
}

async function waitFor(files: Files): Promise<Connected | null> {
  for (const begun = Date.now(); Date.now() - begun < patience; await sleep(50)) {
    const connected = await connect(files, "keeper");
    if (connected) return connected;
  }
  return null;
}

/** Ends with everybody kept out who does not hold the users' lock yet. Throws when Postgres is gone. */
async function untilUnused(client: Client): Promise<void> {
  let quiet = 0;
  while (quiet < quietLooks || !(await tryLock(client, "lock", locks.inUse))) {
    await sleep(interval);
    quiet = (await tryLock(client, "xact_lock", locks.inUse)) ? quiet + 1 : 0;
  }
}

keep(filesIn(process.argv[2] ?? ".data")).then(
  () => process.exit(),
  (error: Error) => {
    process.stderr.write(`The keeper has ended: ${error.message}\n`);
    process.exit(1);
  },
);
