import { spawnSync } from "node:child_process";
import { rooms } from "./rooms";

/**
 * Jest. With --changed, what is worth running at each change: the tests that were changed since the last commit, and those
 * related to a changed file; of a room with tests of its own (rooms.ts) these alone.
 */
const lines = (command: string, ...args: string[]) =>
  spawnSync(command, args, { encoding: "utf8" }).stdout.split("\n").filter(Boolean);

function changedFiles(): string[] {
  const changed = lines("git", "diff", "--name-only", "HEAD");
  const added = lines("git", "ls-files", "--others", "--exclude-standard");
  return [...changed, ...added].filter((file) => /\.tsx?$/.test(file));
}

function testsOf(file: string): string[] {
  if (/\.test\.tsx?$/.test(file)) return [file];
  const related = lines("jest", "--listTests", "--findRelatedTests", file);
  const room = rooms.find(({ files }) => files.test(file));
  const own = room && new RegExp(`/__tests__/(?:${room.tests.join("|").replaceAll("*", "[^/]+")})\\.test\\.tsx?$`);
  return own ? related.filter((test) => own.test(test)) : related;
}

function jest(args: string[]): number {
  return spawnSync("jest", args, { stdio: "inherit" }).status ?? 1;
}

function runChanged(args: string[]): number {
  const tests = [...new Set(changedFiles().flatMap(testsOf))];
  if (tests.length > 0) return jest([...args, "--runTestsByPath", ...tests]);
  console.log("No test knows what was changed.");
  return 0;
}

const given = process.argv.slice(2);
const args = given.filter((argument) => argument !== "--changed");
process.exitCode = args.length < given.length ? runChanged(args) : jest(args);
