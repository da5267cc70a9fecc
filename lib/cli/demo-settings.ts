import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { parseEnv } from "node:util";

const file = ".data/mailbox.env";

/** For commands in another terminal: with these settings, what they send reaches the mailbox of the demo. */
export function writeDemoSettings(settings: Record<string, string>): void {
  const lines = Object.entries(settings).map(([name, value]) => `${name}='${value}'\n`);
  mkdirSync(dirname(file), { recursive: true });
  // A file that is there would keep its mode.
  rmSync(file, { force: true });
  writeFileSync(file, `# process ${process.pid}\n${lines.join("")}`, { mode: 0o600 });
}

/** Leaves the settings of a demo that was started after this one. */
export function removeDemoSettings(): void {
  if (writer(read()) === process.pid) rmSync(file, { force: true });
}

/** Sets what is not set yet, if the demo still runs: a killed one leaves its file behind. */
export function loadDemoSettings(): void {
  const text = read();
  if (!isRunning(writer(text))) return;
  for (const [name, value] of Object.entries(parseEnv(text))) process.env[name] ??= value;
}

function read(): string {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

function writer(text: string): number {
  return Number(/^# process (\d+)/.exec(text)?.[1]);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
