// Generates the database client if the schema has changed, after a switch of branches for instance.
import "./prisma/generate.mjs";

const transform = {
  "^.+\\.[cm]?[jt]sx?$": [
    "@swc/jest",
    { jsc: { target: "es2022", transform: { react: { runtime: "automatic" } } }, module: { type: "commonjs" } },
  ],
};
const moduleNameMapper = { "^@/(.*)$": "<rootDir>/$1" };
// The databases of development and tests, and Stryker's copies of the project.
const modulePathIgnorePatterns = ["<rootDir>/.data/"];
const shared = { rootDir: ".", transform, moduleNameMapper, modulePathIgnorePatterns };

const server = {
  testEnvironment: "node",
  // As in Next's server: 'server-only' is empty here, and throws anywhere else.
  testEnvironmentOptions: { customExportConditions: ["react-server", "node", "node-addons"] },
};

/** @type {import('jest').Config} */
export default {
  // Jest leaves a core unused by default, which on two cores is half of the machine: 13 minutes instead of 6.
  maxWorkers: "100%",
  // A busy machine is slow, not wrong.
  testTimeout: 60_000,
  projects: [
    {
      ...shared,
      ...server,
      displayName: "node",
      // These come as ES modules alone, which Jest's require cannot load on Node 20.
      transformIgnorePatterns: ["/node_modules/(?!(?:flesch-kincaid|syllable)/)"],
      testMatch: ["<rootDir>/__tests__/{domain,schemas,architecture}/**/*.test.ts"],
    },
    {
      ...shared,
      ...server,
      displayName: "api",
      // The engine of the migrations comes as an ES module alone, which Jest's require cannot load on Node 20.
      transformIgnorePatterns: ["/node_modules/(?!@prisma/schema-engine-wasm/)"],
      setupFilesAfterEnv: ["<rootDir>/__tests__/support/own-channels.ts"],
      testMatch: ["<rootDir>/__tests__/{api,simulation}/**/*.test.ts"],
      globalSetup: "<rootDir>/__tests__/support/start-database.ts",
      globalTeardown: "<rootDir>/__tests__/support/stop-database.ts",
    },
    {
      ...shared,
      displayName: "components",
      testEnvironment: "jest-fixed-jsdom",
      setupFilesAfterEnv: ["<rootDir>/__tests__/support/patience.ts"],
      // These come as ES modules alone, which Jest's require cannot load on Node 20.
      transformIgnorePatterns: [
        "/node_modules/(?!(?:country-flag-icons|rettime|until-async|@open-draft/deferred-promise)/)",
      ],
      testMatch: ["<rootDir>/__tests__/components/**/*.test.ts?(x)"],
    },
  ],
};
