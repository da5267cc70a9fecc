import { once } from "node:events";

export default async function stop(): Promise<void> {
  const child = globalThis.databaseOfTheRun;
  if (!child || child.exitCode !== null) return;
  child.stdin?.end();
  await once(child, "exit");
}
