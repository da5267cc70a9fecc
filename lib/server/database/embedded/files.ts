import "server-only";
import { existsSync, mkdirSync, openSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** Where everything of one embedded Postgres lies. */
export interface Files {
  folder: string;
  data: string;
  log: string;
  /** Port and password, for the owner only (identity.ts). */
  identity: string;
  /** Postgres's own lock file. */
  lock: string;
}

/** Bytes after which the log is begun anew. */
const longestLog = 5_000_000;

export function filesIn(folder: string): Files {
  mkdirSync(folder, { recursive: true });
  const data = join(folder, "postgres");
  return {
    folder,
    data,
    log: join(folder, "postgres.log"),
    identity: join(folder, "postgres.json"),
    lock: join(data, "postmaster.pid"),
  };
}

export function openLog({ log }: Files): number {
  try {
    const isLong = existsSync(log) && statSync(log).size > longestLog;
    return openSync(log, isLong ? "w" : "a", 0o600);
  } catch {
    throw new Error(`${log} cannot be written: run this as the user it belongs to, or set DATABASE_URL.`);
  }
}

/** What Postgres said last before it gave up. */
export function lastLine({ log }: Files): string {
  const lines = readFileSync(log, "utf8").trimEnd().split("\n");
  return lines.findLast((line) => line.includes("FATAL")) ?? lines.at(-1) ?? "";
}
