import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus } from "node:os";

/** As `getconf CLK_TCK` says on every Linux. */
const ticks = 100;

/** Seconds of processor time of a process with all its threads, and of its children that have ended (/proc/PID/stat). */
function secondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The second field, the name, may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields.slice(11, 15).reduce((sum, one) => sum + Number(one), 0) / ticks;
}

/** The process and those that it has started and that still run. */
export function family(pid: number): number[] {
  const lines = execFileSync("ps", ["-eo", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n");
  const pairs = lines.map((line) => line.trim().split(/\s+/).map(Number));
  return [pid, ...pairs.filter(([, parent]) => parent === pid).map(([child = 0]) => child)];
}

/** How many cores each of some groups of processes keeps busy. */
export interface Busy {
  app: number;
  postgres: number;
  load: number;
}

const parts = ["app", "postgres", "load"] as const;

export async function busyDuring<T>(pids: Record<keyof Busy, number[]>, work: () => Promise<T>): Promise<[T, Busy]> {
  const seconds = () => parts.map((part) => pids[part].reduce((sum, pid) => sum + secondsOf(pid), 0));
  const [before, begun] = [seconds(), performance.now()];
  const done = await work();
  const passed = (performance.now() - begun) / 1000;
  const [app = 0, postgres = 0, load = 0] = seconds().map((after, n) => (after - (before[n] ?? 0)) / passed);
  return [done, { app, postgres, load }];
}

/**
 * What a rate would be with the load generator on a core of its own. App and Postgres had of the cores what the generator
 * left. With all of them they would do as much more as they would have more, but no more than until the one thread of each
 * app process is busy all the time.
 */
export function withLoadApart(rate: number, { app, load }: Busy, processes: number): number {
  const cores = cpus().length;
  return rate * Math.min(cores / (cores - load), Math.max(1, processes / app));
}
