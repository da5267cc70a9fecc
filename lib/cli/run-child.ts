import { spawn } from "node:child_process";
import { once } from "node:events";

export interface Child {
  /** Its exit code; null when a signal ended it. */
  ended: Promise<number | null>;
  hasEnded(): boolean;
  stop(): Promise<unknown>;
}

interface Circumstances {
  env?: Record<string, string>;
  output?: "inherit" | "ignore";
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs Node with these arguments. SIGINT, SIGTERM and SIGHUP go to the child instead of ending this process. */
export function runChild(args: string[], { env, output = "inherit" }: Circumstances = {}): Child {
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", output, "inherit"],
    env: { ...process.env, ...env },
  });
  const pass = (signal: NodeJS.Signals) => void child.kill(signal);
  for (const signal of signals) process.on(signal, pass);
  const ended = once(child, "exit").then(([code]) => {
    for (const signal of signals) process.off(signal, pass);
    return code;
  });
  return {
    ended,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    stop() {
      child.kill("SIGTERM");
      return ended;
    },
  };
}
