import { spawn } from "node:child_process";
import { once } from "node:events";

export interface Child {
  /** Its exit code; null when a signal ended it. */
  ended: Promise<number | null>;
  hasEnded(): boolean;
  stop(): Promise<unknown>;
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs a program of Node's. Whatever asks this process to end asks the program instead. */
export function runChild(
  program: string,
  args: string[],
  env: Record<string, string> = {},
  output: "inherit" | "ignore" = "inherit",
): Child {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ["ignore", output, "inherit"],
    env: { ...process.env, ...env },
  });
  const pass = (signal: NodeJS.Signals) => void child.kill(signal);
  for (const signal of signals) process.on(signal, pass);
  const ended = once(child, "exit").then(([code]) => {
    for (const signal of signals) process.off(signal, pass);
    return code;
  });
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    ended,
    hasEnded,
    stop() {
      child.kill("SIGTERM");
      return ended;
    },
  };
}
