import "server-only";
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, openSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Files, filesIn } from "@/lib/server/database/embedded/files";
import { type Lifeline, reachKeeper } from "@/lib/server/database/embedded/lifeline";

const keeperProgram = "lib/server/database/embedded/keeper.ts";
const patience = 120_000;
const mostCrashes = 3;
/** Bytes after which the log of the embedded Postgres is begun anew. */
const longestLog = 5_000_000;

const urls = new Map<string, Promise<string>>();

/**
 * The URL of the embedded Postgres, started if nobody has, with every migration applied. It runs for as long as this
 * process does, and is there for every other process that asks.
 */
export function useEmbeddedPostgres(folder = join(process.cwd(), ".data")): Promise<string> {
  const known = urls.get(folder) ?? attach(filesIn(folder));
  urls.set(folder, known);
  return known;
}

async function attach(files: Files): Promise<string> {
  const { socket, url } = await reachOrStart(files);
  const found = await url().catch((error) => {
    socket.destroy();
    throw error;
  });
  // It tells the keeper that we are here; it does not keep us here.
  socket.unref();
  socket.once("close", () => reattach(files));
  return found;
}

/** The keeper was killed: somebody has to start another. */
function reattach(files: Files): void {
  setTimeout(() => attach(files).catch(() => reattach(files)), 250).unref();
}

async function reachOrStart(files: Files): Promise<Lifeline> {
  const begun = Date.now();
  let keeper: ChildProcess | undefined;
  let crashes = 0;
  while (Date.now() - begun < patience) {
    const lifeline = await reachKeeper(files);
    if (lifeline) return lifeline;
    if (keeper?.exitCode) crashes += 1;
    if (crashes === mostCrashes) break;
    if (!keeper || keeper.exitCode !== null || keeper.signalCode) keeper = startKeeper(files);
    await sleep(25);
  }
  throw new Error(`The embedded Postgres could not be started: ${files.log} says why.`);
}

function startKeeper({ folder, log }: Files): ChildProcess {
  const output = openLog(log);
  const flags = ["--conditions=react-server", "--require", "tsx/cjs", keeperProgram, folder];
  const keeper = spawn(process.execPath, flags, {
    detached: true,
    stdio: ["ignore", output, output],
    // Options for this process, such as a debugger's port, are not the keeper's.
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  keeper.unref();
  closeSync(output);
  return keeper;
}

function openLog(log: string): number {
  try {
    const isLong = existsSync(log) && statSync(log).size > longestLog;
    return openSync(log, isLong ? "w" : "a", 0o600);
  } catch {
    throw new Error(`${log} cannot be written: run this as the user it belongs to, or set DATABASE_URL.`);
  }
}
