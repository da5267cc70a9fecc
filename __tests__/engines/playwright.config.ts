import { defineConfig } from "@playwright/test";

/** Journeys through the production build (npm run build first), in WebKit and Firefox. */
export default defineConfig({
  outputDir: "../../test-results/engines",
  globalSetup: "../support/start-product.ts",
  fullyParallel: true,
  workers: 2,
  timeout: 150_000,
  expect: { toPass: { timeout: 60_000, intervals: [50] } },
  projects: [{ name: "WebKit" }, { name: "Firefox" }],
});
