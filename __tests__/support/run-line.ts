import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export interface LineResult {
  code: number | null;
  /** What the line has printed, errors included. */
  output: string;
}

/** Where a line runs: the folder, the environment, and a command prefix such as setpriv and its flags. */
export interface Shell {
  folder: string;
  env: Record<string, string>;
  as?: string[];
}

function begin(line: string, { folder, env, as = [] }: Shell): ChildProcess {
  const [program = "", ...args] = [...as, "bash", "-c", line];
  const options = { cwd: folder, env: { ...process.env, ...env } };
  // The line gets its own process group, so that the processes that npm starts end with it.
  return spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"], detached: true });
}

/** Runs a line of a page in a shell. A long-running line is stopped once `until` returns true. */
export async function runLine(
  line: string,
  shell: Shell,
  until: (output: string) => boolean | Promise<boolean> = () => false,
): Promise<LineResult> {
  const child = begin(line, shell);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += chunk));
  const closed = once(child, "close");
  const running = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  while (running() && !(await until(output))) await Promise.race([closed, sleep(50)]);
  if (running()) process.kill(-Number(child.pid), "SIGTERM");
  const [code] = await closed;
  return { code, output };
}

/** Links the project's files into a folder, in which commands then run and write their files. */
export function linkProjectInto(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(".")) symlinkSync(join(process.cwd(), name), join(folder, name));
}
