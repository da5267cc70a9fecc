import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Test files that check a promise but report no figure of it. */
const withoutFigure: Record<number, string[]> = {
  20: ["journeys/who-gets-in.spec.ts"],
  21: ["api/envelope.test.ts"],
  35: ["journeys/links-and-tabs.spec.ts"],
  36: ["components/landlord-names-the-agent.test.tsx"],
  44: ["api/sms-report.test.ts"],
  48: ["api/messages-checked.test.ts"],
  56: [
    ...["standalone-review", "status-first", "what-was-read", "links-and-tabs", "who-gets-in", "fresh-link"],
    ...["shared-devices", "consent-and-return", "when-something-goes-wrong", "after-a-submission"],
  ].map((name) => `journeys/${name}.spec.ts`),
};

/**
 * The test files of each promise that tests also check at a smaller size: those that report its figure, and those
 * without one. They run here at full size (support/size.ts).
 */
function findTestFiles(): Map<number, string[]> {
  const found = new Map(Object.entries(withoutFigure).map(([number, paths]) => [Number(number), new Set(paths)]));
  for (const path of readdirSync("__tests__", { recursive: true, encoding: "utf8" })) {
    if (!/\.(test|spec)\.tsx?$/.test(path)) continue;
    for (const [, number] of readFileSync(join("__tests__", path), "utf8").matchAll(/reportFigure\(\s*(\d+)/g))
      found.set(Number(number), (found.get(Number(number)) ?? new Set()).add(path));
  }
  return new Map([...found].map(([number, paths]) => [number, [...paths]]));
}

const testFiles = findTestFiles();
export const testedNumbers = [...testFiles.keys()];

export interface Outcome {
  isKept: boolean;
  text: string;
}

/** Runs a test file. Returns the end of what it printed if it fails. */
function failuresOf(path: string, env: NodeJS.ProcessEnv): string[] {
  const own = path.startsWith("lab/engines/")
    ? "--config=__tests__/lab/engines/playwright.config.ts"
    : "--project=phone";
  const playwright = ["playwright", "test", own, "--reporter=line"];
  const runner = path.endsWith(".spec.ts") ? playwright : ["jest", "--maxWorkers=1"];
  const { status, stdout, stderr } = spawnSync("npx", [...runner, `__tests__/${path}`], { env, encoding: "utf8" });
  return status === 0 ? [] : [`${path}: ${(stdout + stderr).trim().slice(-500)}`];
}

/** Runs the tests of the chosen promises, each file once. Returns the outcome of each promise. */
export function runTests(chosen: number[]): Map<number, Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "full-size-"));
  const figures = join(folder, "figures");
  const env = { ...process.env, FULL_SIZE_FIGURES: figures };
  const paths = [...new Set(chosen.flatMap((number) => testFiles.get(number) ?? []))];
  const failures = new Map(paths.map((path) => [path, failuresOf(path, env)]));
  const lines = existsSync(figures) ? readFileSync(figures, "utf8").trim().split("\n") : [];
  const reported: { promise: number; figure: string; isKept: boolean }[] = lines.map((line) => JSON.parse(line));
  rmSync(folder, { recursive: true });

  const outcomeOf = (number: number): Outcome => {
    const paths = testFiles.get(number) ?? [];
    const failed = paths.flatMap((path) => failures.get(path) ?? []);
    // A test with several cases reports a figure for each case.
    const own = reported.filter(({ promise }) => promise === number);
    const ownFigures = [...new Set(own.map(({ figure }) => figure))];
    if (ownFigures.length === 0 && failed.length === 0) failed.push("no figure was reported");
    const isKept = failed.length === 0 && own.every((one) => one.isKept);
    return { isKept, text: (failed.length === 0 ? ownFigures : failed).join("; ") };
  };
  return new Map(chosen.filter((number) => testedNumbers.includes(number)).map((n) => [n, outcomeOf(n)]));
}
