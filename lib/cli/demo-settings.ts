import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { parseEnv } from "node:util";

const file = ".data/mailbox.env";

/** Writes settings for commands in another terminal, so that their messages reach the demo's mailbox. */
export function writeDemoSettings(settings: Record<string, string>): void {
  const lines = Object.entries(settings).map(([name, value]) => `${name}='${value}'\n`);
  mkdirSync(dirname(file), { recursive: true });
  // An existing file would keep its mode.
  rmSync(file, { force: true });
  writeFileSync(file, `# process ${process.pid}\n${lines.join("")}`, { mode: 0o600 });
}

/** Removes the settings, unless a demo that was started later has replaced them. */
export function removeDemoSettings(): void {
  if (writerPid(read()) === process.pid) rmSync(file, { force: true });
}

/** Applies the settings that are not set yet, if the demo still runs. A killed demo leaves its file behind. */
export function loadDemoSettings(): void {
  const text = read();
  if (!isRunning(writerPid(text))) return;
  for (const [name, value] of Object.entries(parseEnv(text))) process.env[name] ||= value;
}

function read(): string {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

function writerPid(text: string): number {
  return Number(/^# process (\d+)/.exec(text)?.[1]);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
