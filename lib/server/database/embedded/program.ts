import "server-only";
import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";

interface Options extends Omit<SpawnOptions, "env"> {
  env?: Record<string, string>;
}

/** Runs a program of this folder in a process of its own. */
export function startProgram(name: "keeper" | "migrate", args: string[], options: Options): ChildProcess {
  const file = `lib/server/database/embedded/${name}.ts`;
  return spawn(process.execPath, ["--conditions=react-server", "--require", "tsx/cjs", file, ...args], {
    ...options,
    // Options for this process, such as a debugger's port, are not the program's.
    env: { ...process.env, ...options.env, NODE_OPTIONS: "" },
  });
}

export function isRunning({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid !== undefined && exitCode === null && signalCode === null;
}
