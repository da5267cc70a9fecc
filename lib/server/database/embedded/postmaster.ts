import "server-only";
import type { ChildProcess } from "node:child_process";
import { closeSync, readFileSync, statSync } from "node:fs";
import { type Files, openLog } from "./files";
import type { Installation } from "./prepare";

/** What differs from Postgres's own defaults; those that make it durable are left alone. */
const settings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "200",
  timezone: "UTC",
  log_timezone: "UTC",
  // The log tells what went wrong without quoting what anybody wrote.
  log_error_verbosity: "terse",
  log_min_error_statement: "panic",
};

export interface Postmaster {
  pid: number;
  port: number;
  /** It takes connections: it is neither starting nor stopping. */
  isReady: boolean;
  /** The folder is a copy of one whose Postgres runs. */
  isElsewhere: boolean;
}

/**
 * The running Postgres, as its lock file tells; null where there is none. The lock file is left behind by kill -9, and
 * its number may since belong to some other process.
 */
export function readPostmaster({ data, lock }: Files): Postmaster | null {
  try {
    const [pid, home = "", , port, , , , status] = readFileSync(lock, "utf8").split("\n");
    process.kill(Number(pid), 0);
    const isElsewhere = statSync(/*turbopackIgnore: true*/ home).ino !== statSync(data).ino;
    return { pid: Number(pid), port: Number(port), isReady: status?.trim() === "ready" && !isElsewhere, isElsewhere };
  } catch {
    return null;
  }
}

/** Starts Postgres on existing data. It is nobody's child for long: it outlives this process. */
export function startPostmaster({ files, binaries, as }: Installation, port: number): ChildProcess {
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const log = openLog(files);
  const child = as.spawn(binaries.postgres, ["-D", files.data, "-p", String(port), ...flags], {
    detached: true,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  // A program that cannot be started at all has no number (isRunning).
  child.once("error", () => {});
  child.unref();
  return child;
}
