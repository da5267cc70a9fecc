import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Room, rooms } from "@/__tests__/support/rooms";
import { startRunDatabase } from "@/__tests__/support/start-run-database";
import jest from "@/jest.config.mjs";

/**
 * Which changes of the code no test notices: Stryker makes each in turn and runs the room's tests. Names of rooms as
 * arguments try those alone. Its packages are apart from the product's, so that nobody else waits for them.
 */
const packages = "__tests__/mutants";
const stryker = join(packages, "node_modules/@stryker-mutator/core/bin/stryker.js");
const reports = "test-results/mutants";

type Status = "Killed" | "Timeout" | "Survived" | "NoCoverage" | "Ignored" | "RuntimeError" | "CompileError";
type Report = { files: Record<string, { mutants: { status: Status }[] }> };

/** What Jest needs for the room's tests: one project, whose database is started once for all mutants. */
function jestFor({ project, tests }: Room) {
  const isOnServer = project === "api";
  const projects = jest.projects as Record<string, unknown>[];
  const own = projects.find(({ displayName }) => displayName === project);
  const files = isOnServer ? ["mutants/room"] : tests;
  const environment = isOnServer ? { testEnvironment: `./${packages}/first-failure.cjs` } : {};
  const apart = { projects: [], testMatch: files.map((file) => `<rootDir>/__tests__/${file}.test.ts`) };
  const shared = { displayName: undefined, rootDir: undefined, globalSetup: undefined, globalTeardown: undefined };
  return { ...own, ...shared, ...environment, ...apart, testTimeout: jest.testTimeout };
}

function settingsFor(room: Room) {
  return {
    testRunner: "jest",
    // room.test.ts names its files only when it runs, so that nobody sees what they are related to.
    jest: { config: jestFor(room), enableFindRelatedTests: room.project !== "api" },
    mutate: room.mutate,
    coverageAnalysis: "perTest",
    // What runs once, when its file is loaded, would need all tests in a process of their own.
    ignoreStatic: true,
    concurrency: 1,
    // A busy machine is slow, not wrong.
    dryRunTimeoutMinutes: 60,
    timeoutMS: 2000 * (room.testSeconds ?? 30),
    ignorePatterns: [".data", ".next", "test-results"],
    tempDirName: ".data/mutants",
    reporters: ["clear-text", "json"],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportScoreTable: false },
    jsonReporter: { fileName: `${reports}/${room.name}.json` },
    // Not ours: Stryker would read it by the JavaScript API, which TypeScript 7 does not have.
    tsconfigFile: "none.json",
  };
}

function noticed(report: string): { all: number; share: number } {
  const { files }: Report = JSON.parse(readFileSync(report, "utf8"));
  const statuses = Object.values(files).flatMap(({ mutants }) => mutants.map(({ status }) => status));
  const count = (...wanted: Status[]) => statuses.filter((status) => wanted.includes(status)).length;
  const found = count("Killed", "Timeout");
  const all = found + count("Survived", "NoCoverage");
  return { all, share: (100 * found) / all };
}

async function withDatabase(room: Room, run: (env: Record<string, string>) => void): Promise<void> {
  if (room.project !== "api") return run({});
  const { stop, ...urls } = await startRunDatabase();
  run({
    MUTANTS_OF: room.name,
    TEST_SERVER_URL: urls.serverUrl,
    TEST_TEMPLATE_URL: urls.templateUrl,
    TEST_APP_URL: urls.appUrl,
    TEST_OPERATIONS_URL: urls.operationsUrl,
    TEST_READER_URL: urls.readerUrl,
  });
  await stop();
}

async function main(names: string[]): Promise<void> {
  if (!existsSync(stryker)) spawnSync("npm", ["ci"], { cwd: packages, stdio: "inherit" });
  mkdirSync(reports, { recursive: true });
  const told: string[] = [];
  for (const room of rooms.filter(({ name }) => names.length === 0 || names.includes(name))) {
    const settings = `${reports}/${room.name}.settings.json`;
    const began = Date.now();
    rmSync(`${reports}/${room.name}.json`, { force: true });
    writeFileSync(settings, JSON.stringify(settingsFor(room)));
    await withDatabase(room, (env) => {
      const own = { stdio: "inherit", env: { ...process.env, ...env } } as const;
      if (spawnSync(process.execPath, [stryker, "run", settings], own).status !== 0)
        throw new Error(`The mutants of ${room.name} could not be tried: see above.`);
    });
    const { all, share } = noticed(`${reports}/${room.name}.json`);
    const minutes = ((Date.now() - began) / 60_000).toFixed(1);
    if (share < room.least) process.exitCode = 1;
    told.push(
      `${room.name}: ${share.toFixed(1)} % of ${all} mutants noticed, at least ${room.least} asked; ${minutes} min`,
    );
  }
  console.log(`\n${told.join("\n")}`);
}

main(process.argv.slice(2));
