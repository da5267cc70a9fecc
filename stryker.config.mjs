import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import jest from "./jest.config.mjs";

/**
 * Measures the mutation score of a module: Stryker applies each mutation in turn and runs the tests that are listed here.
 * MODULE=outbox npm run test:mutants
 */
const server = (folder, ...tests) => ({ project: "api", mutate: [`lib/server/${folder}/**/*.ts`], least: 90, tests });
const rules = (folder) => ({ project: "node", mutate: [`lib/${folder}/**/*.ts`], least: 97, folder, tests: ["*"] });
const vitals = "lib/schemas/web-vitals.ts";
const modules = {
  domain: rules("domain"),
  schemas: { ...rules("schemas"), mutate: ["lib/schemas/*.ts", `!${vitals}`] },
  form: {
    project: "components",
    mutate: ["components/application/saving/form-state.ts"],
    least: 90,
    tests: ["form-state"],
  },
  links: server("links", "verify-token"),
  applications: server(
    "applications",
    ...["save-step", "submit", "submit-final", "reviewed", "verify-token", "verify-consents", "erasure"],
    ...["export", "applications-command", "person", "outbox"],
  ),
  invitations: server(
    "invitations",
    ...["links", "normalise-phone", "invitation-fields", "invitation-api", "contact", "reissue-batch"],
    ...["bounces", "same-list", "invitation-repeated"],
  ),
  outbox: server("outbox", "outbox", "fresh-link", "stop", "weekly-figures", "evidence-copies"),
  messages: {
    ...server(
      "messages",
      ...["messages-outage", "messages-checked", "messages-listed", "stop", "send-webhook"],
      ...["messages-delivered", "messages-claimed", "fresh-link", "messages-worker", "weekly-figures"],
    ),
    mutate: ["lib/server/delivery/*.ts"],
  },
  bounces: server("channels/bounces", "bounces", "bounces-read"),
  sms: server("channels/sms", "sms-report", "sms"),
  email: server("channels/email", "send-email"),
  webhooks: server("channels/webhooks", "send-webhook"),
  templates: server("templates", "message-texts", "template-versions"),
  http: {
    ...server(
      "http",
      ...[
        "logs",
        "call-responses",
        "client-address",
        "envelope",
        "arrival",
        "limits",
        "metrics",
        "ready",
        "csp-report",
      ],
      ...["web-vitals", "invitation-api"],
    ),
    mutate: ["lib/server/http/**/*.ts", vitals],
  },
};
const names = Object.keys(modules);
const name = process.env.MODULE;
if (!names.includes(name)) throw new Error(`Set MODULE to one of ${names.join(", ")}.`);
// Many mutants never do what a test waits for, so tests give up sooner.
process.env.TEST_UNTIL_MS = "6000";
const { project, mutate, least, tests, folder = project } = modules[name];

/** Starts one database for all mutants, in a separate process that ends with this one. */
async function startDatabase() {
  const flags = ["--conditions=react-server", "--import", "tsx", "__tests__/support/run-database.ts"];
  const child = spawn(process.execPath, flags, { stdio: ["pipe", "pipe", "inherit"] });
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  for (const [kind, url] of Object.entries(JSON.parse(line)))
    process.env[`TEST_${kind.replace("Url", "").toUpperCase()}_URL`] = url;
  for (const handle of [child, child.stdin, child.stdout]) handle.unref();
}
if (project === "api") await startDatabase();

const { displayName, globalSetup, globalTeardown, rootDir, ...own } = jest.projects.find(
  (candidate) => candidate.displayName === project,
);
const testMatch = tests.map((test) => `<rootDir>/__tests__/${folder}/${test}.test.ts`);

export default {
  testRunner: "jest",
  // Stryker merges this with jest.config.mjs, and would otherwise run all of its projects.
  // Jest does not see that a test is related to a command that it loads by name (call-command.ts).
  jest: { config: { ...own, projects: [], testMatch, testTimeout: jest.testTimeout }, enableFindRelatedTests: false },
  mutate,
  thresholds: { high: 100, low: least, break: least },
  coverageAnalysis: "perTest",
  // A mutant in code that runs once, when its file is loaded, would need a separate process for all tests.
  ignoreStatic: true,
  concurrency: 1,
  dryRunTimeoutMinutes: 60,
  timeoutMS: 30_000,
  ignorePatterns: [".data", ".next", "test-results"],
  tempDirName: ".data/mutants",
  reporters: ["clear-text", "progress-append-only"],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  // No such file exists: Stryker would read tsconfig.json with TypeScript's JavaScript API, which TypeScript 7 lacks.
  tsconfigFile: "none.json",
};
