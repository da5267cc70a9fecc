import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

export interface RunDatabase {
  /** The server's maintenance database. */
  serverUrl: string;
  /** Migrated and empty. It is only copied, never connected to, because Postgres refuses to copy a template in use. */
  templateUrl: string;
  /** The template's URLs for the app, operations and their reader, who may connect to copies of the template as well. */
  appUrl: string;
  operationsUrl: string;
  readerUrl: string;
  /** Drops the template and every copy of it. */
  stop(): Promise<void>;
}

/** The URL of another database of the same server, for the same user. */
export const inDatabase = (url: string, name: string) => Object.assign(new URL(url), { pathname: name }).href;

/** Starts run-database.ts as its own process, which cleans up even if this one is killed. */
export async function startRunDatabase(): Promise<RunDatabase> {
  const flags = ["--conditions=react-server", "--import", "tsx", "__tests__/support/run-database.ts"];
  // In its own process group, so that Ctrl+C does not end it before it has stopped Postgres.
  const child = spawn(process.execPath, flags, { stdio: ["pipe", "pipe", "inherit"], detached: true });
  const gone = once(child, "exit");
  const failed = gone.then(() => Promise.reject(new Error("There is no database for the tests: see above.")));
  failed.catch(() => {});
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), "line"), failed]);
  return {
    ...JSON.parse(line),
    async stop() {
      child.stdin.end();
      await gone;
    },
  };
}
