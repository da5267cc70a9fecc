const transform = {
  "^.+\\.[cm]?[jt]sx?$": [
    "@swc/jest",
    { jsc: { target: "es2022", transform: { react: { runtime: "automatic" } } }, module: { type: "commonjs" } },
  ],
};
const shared = { rootDir: ".", transform, moduleNameMapper: { "^@/(.*)$": "<rootDir>/$1" } };

/** @type {import('jest').Config} */
export default {
  projects: [
    {
      ...shared,
      displayName: "node",
      testEnvironment: "node",
      // As in Next's server: 'server-only' is empty here, and throws anywhere else.
      testEnvironmentOptions: { customExportConditions: ["react-server", "node", "node-addons"] },
      testMatch: ["<rootDir>/__tests__/{domain,schemas,house,api}/**/*.test.ts"],
    },
    {
      ...shared,
      displayName: "components",
      testEnvironment: "jest-fixed-jsdom",
      // MSW brings these as ES modules alone, which Jest's require cannot load on Node 20.
      transformIgnorePatterns: ["/node_modules/(?!(?:rettime|until-async|@open-draft/deferred-promise)/)"],
      testMatch: ["<rootDir>/__tests__/components/**/*.test.tsx"],
    },
  ],
};
