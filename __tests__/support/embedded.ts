import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { withConnection } from "@/lib/server/db/connection";

const users = new Set<ChildProcess>();

/** Ends the processes that a failed test left running. */
export function killEmbeddedProcesses(): void {
  for (const user of users) user.kill("SIGKILL");
}

const program = ["--conditions=react-server", "--require", "tsx/cjs", "__tests__/support/embedded-user.ts"];

/** Starts a process that cannot get its embedded Postgres, and returns its error message. */
export function errorOfEmbeddedUser(folder: string): string {
  const { status, stderr } = spawnSync(process.execPath, [...program, folder], { encoding: "utf8" });
  if (status !== 1) throw new Error(`It ended with ${status}.`);
  return stderr.trim();
}

/** Starts a process that uses the embedded Postgres of a folder. */
export async function embeddedUser(folder: string) {
  const child = spawn(process.execPath, [...program, folder], { stdio: ["pipe", "pipe", "inherit"] });
  users.add(child);
  child.once("exit", () => users.delete(child));
  const failed = once(child, "exit").then(() => Promise.reject(new Error("The user has ended: see above.")));
  failed.catch(() => {});
  const [url] = await Promise.race([once(createInterface({ input: child.stdout }), "line"), failed]);
  return {
    url: String(url),
    async leave() {
      child.stdin.end();
      await once(child, "exit");
    },
    async kill() {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

/** The running postmaster's pid, or null. */
export function postmasterOf(folder: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(join(folder, "postgres/postmaster.pid"), "utf8"), 10);
    process.kill(pid, 0);
    return pid;
  } catch {
    return null;
  }
}

export const query = (url: string, text: string) => withConnection(url, (client) => client.query(text));
