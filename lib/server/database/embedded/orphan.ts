import "server-only";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Files, Identity } from "./files";
import { takesConnections } from "./postmaster";

const patience = 30_000;
/** A Postgres that is only starting or stopping answers within this time. */
const silence = 3000;

/**
 * Stops a Postgres that was left running by a keeper that is no more. Only one that opens to our password is touched:
 * the number in its lock file may since belong to some other process.
 */
export async function stopOrphan(files: Files, identity: Identity): Promise<void> {
  const lock = join(files.data, "postmaster.pid");
  const begun = Date.now();
  let lastAnswer = begun;
  for (let pid = readPid(lock); pid !== null && isRunning(pid); pid = readPid(lock)) {
    if (await takesConnections(identity)) {
      lastAnswer = Date.now();
      process.kill(pid, "SIGINT");
    } else if (Date.now() - lastAnswer > silence) break;
    if (Date.now() - begun > patience) throw new Error(`Another Postgres (process ${pid}) holds ${files.data}.`);
    await sleep(50);
  }
  // What is left is no Postgres of ours. Should one hold the data all the same, its shared memory keeps a second out.
  rmSync(lock, { force: true });
}

function readPid(lock: string): number | null {
  try {
    return Number.parseInt(readFileSync(lock, "utf8"), 10) || null;
  } catch {
    return null;
  }
}

/** A process of another user is none of ours, and one that has ended may stay in the table until somebody asks for it. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch (error) {
    // There is no /proc everywhere.
    return (error as NodeJS.ErrnoException).code === "ENOENT" && process.platform !== "linux";
  }
}
