import { spawnSync } from "node:child_process";
import { expect } from "./support/expect";
import { promise } from "./support/world";

promise(56, async () => {
  // Without DATABASE_URL, the journeys start a database of their own.
  const { DATABASE_URL: _, ...env } = process.env;
  const { stdout, status } = spawnSync("npm", ["run", "--silent", "test:engines"], { env, encoding: "utf8" });
  const failed = stdout.match(/^(✘.*|\s.*)$/gm)?.join("\n");
  expect(status === 0, failed || `the journeys ended with ${status}`);
  return stdout.trim().split("\n").at(-1) ?? "";
});
