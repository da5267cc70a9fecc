import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";

/** The signals that end a command: Ctrl-C, `kill`, and a terminal that closes. */
export const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Resolves once Ctrl-C or `kill` asks this process to end. The listeners stay, because npm forwards a signal that a terminal or a
 * service manager has sent to both, and the second one would kill the process while it ends.
 */
export function untilSignalled(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => resolve());
  });
}

/** Runs Node with these arguments. SIGINT, SIGTERM and SIGHUP are forwarded to the child and do not end this process. */
export function runChild(args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, ...env },
  });
  const forward = (signal: NodeJS.Signals) => void child.kill(signal);
  for (const signal of signals) process.on(signal, forward);
  const ended: Promise<number | null> = once(child, "exit").then(([code]) => {
    for (const signal of signals) process.off(signal, forward);
    return code;
  });
  return {
    /** The exit code, or null if a signal ended the process. */
    ended,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    stop() {
      child.kill("SIGTERM");
      return ended;
    },
  };
}

export type Child = ReturnType<typeof runChild>;

export async function requireFreePort(port: number, advice: string): Promise<void> {
  const probe = createServer();
  await once(probe.listen(port), "listening").catch(({ code }) => {
    throw new Error(`Port ${port} ${code === "EADDRINUSE" ? "is in use" : `cannot be used (${code})`}: ${advice}`);
  });
  await new Promise((resolve) => probe.close(resolve));
}
