import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

declare global {
  var databaseOfTheRun: ChildProcess | undefined;
}

/** Before the tests of the calls: a real Postgres, whose URL the workers find in the environment. */
export default async function start(): Promise<void> {
  const script = "__tests__/support/run-database.ts";
  const child = spawn(process.execPath, ["--conditions=react-server", "--import", "tsx", script], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  globalThis.databaseOfTheRun = child;
  const ready = once(createInterface({ input: child.stdout }), "line");
  const gone = once(child, "exit").then(() => Promise.reject(new Error("No database for the tests: see above.")));
  const [url] = await Promise.race([ready, gone]);
  gone.catch(() => {});
  process.env.TEST_DATABASE_URL = url;
}
