import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

export interface RunDatabase {
  /** A database of the server that may always be connected to. */
  serverUrl: string;
  /** Migrated and empty: for copies alone, and copied only while nobody is connected to it. */
  templateUrl: string;
  /** Drops the template and every copy of it. */
  stop(): Promise<void>;
}

/** Starts the database of a test run in a process of its own, which outlives a run that is cut off just long enough. */
export async function startRunDatabase(): Promise<RunDatabase> {
  const flags = ["--conditions=react-server", "--import", "tsx", "__tests__/support/run-database.ts"];
  const child = spawn(process.execPath, flags, { stdio: ["pipe", "pipe", "inherit"] });
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
