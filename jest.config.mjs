// Generates the database client if the schema has changed, for instance after switching branches.
import "./prisma/generate.mjs";

const transform = {
  "^.+\\.[cm]?[jt]sx?$": [
    "@swc/jest",
    { jsc: { target: "es2022", transform: { react: { runtime: "automatic" } } }, module: { type: "commonjs" } },
  ],
};
const moduleNameMapper = { "^@/(.*)$": "<rootDir>/$1" };
// .data has the databases of development and tests, and Stryker's copies of the project.
const modulePathIgnorePatterns = ["<rootDir>/.data/"];
const shared = { rootDir: ".", transform, moduleNameMapper, modulePathIgnorePatterns, restoreMocks: true };

const server = {
  testEnvironment: "node",
  // These are the conditions of Next's server: with them, 'server-only' is empty. Without them, it throws.
  testEnvironmentOptions: { customExportConditions: ["react-server", "node", "node-addons"] },
};

/** @type {import('jest').Config} */
export default {
  // By default, Jest leaves a core unused. On two cores that is half of the machine: 13 minutes instead of 6.
  maxWorkers: "100%",
  // The timeout is generous, because a test on a busy machine is slow, not wrong.
  testTimeout: 60_000,
  projects: [
    {
      ...shared,
      ...server,
      displayName: "node",
      // These packages are only ES modules, which Jest's require cannot load on Node 20.
      transformIgnorePatterns: ["/node_modules/(?!(?:flesch-kincaid|syllable)/)"],
      testMatch: ["<rootDir>/__tests__/{domain,schemas,architecture}/**/*.test.ts"],
    },
    {
      ...shared,
      ...server,
      displayName: "api",
      // These packages are only ES modules, which Jest's require cannot load on Node 20.
      transformIgnorePatterns: ["/node_modules/(?!(?:@prisma/schema-engine-wasm|openid-client|oauth4webapi|jose)/)"],
      testMatch: ["<rootDir>/__tests__/{api,lab/simulation}/**/*.test.ts"],
      globalSetup: "<rootDir>/__tests__/support/start-database.ts",
      globalTeardown: "<rootDir>/__tests__/support/stop-database.ts",
    },
    {
      ...shared,
      displayName: "components",
      testEnvironment: "jest-fixed-jsdom",
      setupFilesAfterEnv: ["<rootDir>/__tests__/support/component-tests.ts"],
      // These packages are only ES modules, which Jest's require cannot load on Node 20.
      transformIgnorePatterns: ["/node_modules/(?!(?:rettime|until-async|@open-draft/deferred-promise)/)"],
      testMatch: ["<rootDir>/__tests__/components/**/*.test.ts?(x)"],
    },
  ],
};
