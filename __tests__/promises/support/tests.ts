import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Promises that tests of `npm test` check at a smaller size. These files run here at full size (support/size.ts). */
const inJest: Record<number, string[]> = {
  1: ["api/submit-final"],
  2: ["api/submit-final"],
  3: ["api/submit-final"],
  4: ["components/a-save-fails"],
  7: ["api/shutdown"],
  11: ["api/verify-token"],
  12: ["api/limits"],
  13: ["api/fuzz", "api/save-step"],
  14: ["api/verify-token"],
  15: ["api/envelope"],
  16: ["api/envelope"],
  21: ["api/fuzz", "api/envelope"],
  22: ["api/save-step", "api/invitation-api"],
  23: ["api/save-step"],
  27: ["api/reviewed"],
  29: ["api/verify-consents"],
  31: ["api/fuzz", "components/one-advance"],
  36: ["domain/ways-to-type-a-phone-number", "components/landlord-names-the-agent"],
  39: ["api/erasure"],
  41: ["api/outbox"],
  44: ["api/messages-worker", "api/sms-report"],
  47: ["api/fresh-link"],
  48: ["api/messages-checked", "api/messages-claimed"],
  50: ["api/message-texts"],
  52: ["api/erasure"],
  58: ["api/ready"],
  63: ["simulation/simulation"],
  67: ["api/evidence-forged"],
  69: ["api/evidence-command"],
  71: ["architecture/asvs"],
  73: ["api/decisions"],
  74: ["api/contact"],
  75: ["api/bounces", "api/bounces-read"],
  76: ["api/invitation-api"],
  77: ["api/figures"],
};
const inPlaywright: Record<number, string[]> = {
  17: ["journeys/who-gets-in"],
  32: ["journeys/links-and-tabs"],
  33: ["journeys/links-and-tabs"],
  35: ["journeys/shared-devices", "journeys/links-and-tabs"],
  56: [
    ...["journeys/to-success", "journeys/standalone-review", "journeys/status-first", "journeys/what-was-read"],
    ...["journeys/links-and-tabs", "journeys/who-gets-in", "journeys/fresh-link", "journeys/shared-devices"],
    ...["journeys/consent-and-return", "journeys/when-something-goes-wrong"],
  ],
};

export const testedNumbers = [...Object.keys(inJest), ...Object.keys(inPlaywright)].map(Number);

interface Spec {
  title: string;
  ok: boolean;
  tests: { results: { error?: { message: string } }[] }[];
}
interface Suite {
  file: string;
  specs: Spec[];
  suites?: Suite[];
}
interface JestReport {
  testResults: {
    name: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}

/** The failed tests of each test file. */
type Failures = Map<string, string[]>;

const nameOf = (path: string) => path.replace(/^.*__tests__\//, "").replace(/\.(test|spec)\.tsx?$/, "");

function jestFailures(report: string): Failures {
  const { testResults }: JestReport = JSON.parse(report);
  return new Map(
    testResults.map(({ name, message, assertionResults }) => {
      const failed = assertionResults
        .filter(({ status }) => status === "failed")
        .map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages.join().slice(0, 500)}`);
      return [nameOf(name), assertionResults.length === 0 ? [message] : failed];
    }),
  );
}

const specsIn = ({ specs, suites = [] }: Suite): Spec[] => [...specs, ...suites.flatMap(specsIn)];

function playwrightFailures(report: string): Failures {
  const { suites }: { suites: Suite[] } = JSON.parse(report);
  const failed = (suite: Suite) =>
    specsIn(suite)
      .filter(({ ok }) => !ok)
      .map(({ title, tests }) => `${title}: ${tests[0]?.results[0]?.error?.message.slice(0, 500)}`);
  return new Map(suites.map((suite) => [nameOf(`__tests__/journeys/${suite.file}`), failed(suite)]));
}

export interface Outcome {
  isKept: boolean;
  text: string;
}

/** Runs the tests of the chosen promises, each file once. Returns the outcome of each promise. */
export function runTests(chosen: number[]): Map<number, Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "full-size-"));
  const [figures, report] = [join(folder, "figures"), join(folder, "report.json")];
  const env = { ...process.env, FULL_SIZE_FIGURES: figures, PLAYWRIGHT_JSON_OUTPUT_NAME: report };
  const failures: Failures = new Map();
  const run = (
    files: Record<number, string[]>,
    args: (paths: string[]) => string[],
    read: (text: string) => Failures,
  ) => {
    const paths = new Set(chosen.flatMap((number) => files[number] ?? []));
    if (paths.size === 0) return;
    rmSync(report, { force: true });
    const { stderr } = spawnSync("npx", args([...paths].map((path) => `__tests__/${path}.`)), {
      env,
      encoding: "utf8",
    });
    if (!existsSync(report)) throw new Error(stderr);
    for (const [name, failed] of read(readFileSync(report, "utf8"))) failures.set(name, failed);
  };
  run(inJest, (paths) => ["jest", "--maxWorkers=1", "--json", `--outputFile=${report}`, ...paths], jestFailures);
  run(
    inPlaywright,
    (paths) => ["playwright", "test", "--project=phone", "--reporter=json", ...paths],
    playwrightFailures,
  );
  const lines = existsSync(figures) ? readFileSync(figures, "utf8").trim().split("\n") : [];
  const reported: { promise: number; figure: string }[] = lines.map((line) => JSON.parse(line));
  rmSync(folder, { recursive: true });

  const outcomeOf = (number: number): Outcome => {
    const files = [...(inJest[number] ?? []), ...(inPlaywright[number] ?? [])];
    const failed = files.flatMap((file) => failures.get(file) ?? [`${file} did not run`]);
    // A test with several cases reports a figure for each case.
    const ownFigures = [...new Set(reported.filter(({ promise }) => promise === number).map(({ figure }) => figure))];
    if (ownFigures.length === 0 && failed.length === 0) failed.push("no figure was reported");
    return { isKept: failed.length === 0, text: (failed.length === 0 ? ownFigures : failed).join("; ") };
  };
  return new Map(chosen.filter((number) => testedNumbers.includes(number)).map((n) => [n, outcomeOf(n)]));
}
