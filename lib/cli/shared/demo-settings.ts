import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { parseEnv } from "node:util";

const file = ".data/mailbox.env";

/** Writes settings for commands in another terminal, so that their messages reach the demo's mailbox. */
export function writeDemoSettings(settings: Record<string, string>): void {
  const all = Object.entries({ ...settings, DEMO_PID: String(process.pid) });
  mkdirSync(dirname(file), { recursive: true });
  // An existing file would keep its mode.
  rmSync(file, { force: true });
  writeFileSync(file, all.map(([name, value]) => `${name}='${value}'\n`).join(""), { mode: 0o600 });
}

/** Removes the settings, unless a demo that was started later has replaced them. */
export function removeDemoSettings(): void {
  if (read().DEMO_PID === String(process.pid)) rmSync(file, { force: true });
}

/** Applies the settings that are not set yet, if the demo still runs. A killed demo leaves its file behind. */
export function loadDemoSettings(): void {
  const { DEMO_PID, ...settings } = read();
  if (!isRunning(Number(DEMO_PID))) return;
  for (const [name, value] of Object.entries(settings)) process.env[name] ||= value;
}

const read = () => (existsSync(file) ? parseEnv(readFileSync(file, "utf8")) : {});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
