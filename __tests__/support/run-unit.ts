import { spawnSync } from "node:child_process";
import { rooms } from "./rooms";

/**
 * Jest. With --changed, what is worth running at each change: the tests that were changed since the last commit, and those of
 * the rooms whose files were (rooms.ts); of other files all that are related to them.
 */
const git = (...args: string[]) => spawnSync("git", args, { encoding: "utf8" }).stdout.split("\n").filter(Boolean);

function changedFiles(): string[] {
  const changed = [...git("diff", "--name-only", "HEAD"), ...git("ls-files", "--others", "--exclude-standard")];
  return changed.filter((file) => /\.tsx?$/.test(file));
}

function jest(...args: string[]): number {
  return spawnSync("jest", args, { stdio: "inherit" }).status ?? 1;
}

function runChanged(files: string[], args: string[]): number {
  const touched = rooms.filter((room) => files.some((file) => room.files.test(file)));
  const others = files.filter((file) => !rooms.some((room) => room.files.test(file)));
  const tests = others.filter((file) => /\.test\.tsx?$/.test(file));
  const patterns = [
    ...touched.flatMap((room) => room.tests.map((test) => `__tests__/${test.replace("*", ".*")}\\.test`)),
    ...tests,
  ];
  const related = others.filter((file) => !tests.includes(file) && !file.startsWith("__tests__/"));
  const codes = [
    ...(patterns.length > 0 ? [jest(...args, ...patterns)] : []),
    ...(related.length > 0 ? [jest(...args, "--findRelatedTests", ...related)] : []),
  ];
  return Math.max(0, ...codes);
}

const given = process.argv.slice(2);
const args = given.filter((argument) => argument !== "--changed");
process.exitCode = args.length < given.length ? runChanged(changedFiles(), args) : jest(...args);
