import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";

/** All tests: Prisma's client, Jest, the production build, and the browser journeys. */
interface Closing {
  passed: number;
  failed: number;
}

const folder = "test-results";
const reports = { jest: `${folder}/jest.json`, journeys: `${folder}/journeys.json` };

function run(title: string, command: string, args: string[], env: Record<string, string> = {}): boolean {
  console.log(`\n${title}`);
  const { status } = spawnSync(command, args, { stdio: "inherit", env: { ...process.env, ...env } });
  return status === 0;
}

function closingOf(isGreen: boolean, report: string, count: (report: string) => Closing): Closing {
  const counted = existsSync(report) ? count(readFileSync(report, "utf8")) : { passed: 0, failed: 0 };
  // A non-zero exit without a failed test (syntax error, server that does not start) counts as one failure.
  return isGreen || counted.failed > 0 ? counted : { ...counted, failed: 1 };
}

function ofJest(report: string): Closing {
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(report);
  return { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites };
}

function ofPlaywright(report: string): Closing {
  const { stats, errors } = JSON.parse(report);
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + stats.skipped + errors.length };
}

function told(name: string, { passed, failed }: Closing): string {
  return `${name}: ${passed} passed, ${failed} failed`;
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
const isGenerated = run("The database client", "npm", ["run", "--silent", "generate"]);
const jest = closingOf(
  run("Rules, schemas, calls and components", "jest", ["--json", `--outputFile=${reports.jest}`]),
  reports.jest,
  ofJest,
);
const isBuilt = isGenerated && run("The production build", "npm", ["run", "--silent", "build"]);
const journeys = closingOf(
  isBuilt &&
    run("Journeys", "playwright", ["test", "--reporter=list,json"], { PLAYWRIGHT_JSON_OUTPUT_NAME: reports.journeys }),
  reports.journeys,
  ofPlaywright,
);
const all = { passed: jest.passed + journeys.passed, failed: jest.failed + journeys.failed };
const closing = `${all.passed} passed, ${all.failed} failed`;
writeFileSync(`${folder}/closing.txt`, `${closing}\n`);
console.log(`\n${told("Rules, schemas, calls and components", jest)}\n${told("Journeys", journeys)}\n${closing}`);
process.exitCode = all.failed === 0 && all.passed > 0 ? 0 : 1;
