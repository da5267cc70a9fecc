import { defineConfig } from "@playwright/test";
import { installedChromium } from "@/__tests__/support/browser";

/** Journeys through the production build (npm run build first) in WebKit and Firefox, and autofill in an installed Chromium. */
export default defineConfig({
  outputDir: "../../../test-results/engines",
  globalSetup: "../../support/start-product.ts",
  fullyParallel: true,
  workers: 2,
  timeout: 150_000,
  expect: { toPass: { timeout: 60_000, intervals: [50] } },
  projects: [
    { name: "WebKit", testMatch: ["journeys.spec.ts", "desk.spec.ts"] },
    { name: "Firefox", testMatch: ["journeys.spec.ts", "desk.spec.ts"] },
    {
      name: "Chromium",
      testMatch: "autofill.spec.ts",
      use: { launchOptions: { executablePath: installedChromium() } },
    },
  ],
});
