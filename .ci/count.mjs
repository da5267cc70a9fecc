import { existsSync, readFileSync } from "node:fs";

// Adds up the reports of Jest and Playwright. A run that wrote no report has failed.
const read = (name) => {
  const file = `test-results/${name}.json`;
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
};
const jest = read("jest");
const journeys = read("journeys");

const passed = (jest?.numPassedTests ?? 0) + (journeys?.stats.expected ?? 0);
const failed =
  (jest ? jest.numFailedTests + jest.numRuntimeErrorTestSuites : 1) +
  (journeys ? journeys.stats.unexpected + journeys.stats.flaky + journeys.stats.skipped + journeys.errors.length : 1);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
