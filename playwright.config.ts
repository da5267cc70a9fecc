import { defineConfig } from "@playwright/test";
import { findBrowser } from "./__tests__/support/browser";

const { executablePath, env } = findBrowser();

/** Journeys through the production build (npm run build first), in real Chromium. */
export default defineConfig({
  testDir: "__tests__/journeys",
  outputDir: "test-results/journeys",
  globalSetup: "./__tests__/support/start-product.ts",
  fullyParallel: true,
  workers: 2,
  retries: 0,
  forbidOnly: true,
  reporter: [["list"], ["json", { outputFile: "test-results/journeys.json" }]],
  // Generous, because the machine may be busy. A journey that hangs still fails.
  timeout: 150_000,
  expect: { timeout: 20_000 },
  use: {
    locale: "en-AU",
    timezoneId: "Australia/Sydney",
    // A trace takes a fifth of the processor's time. To see why a journey fails, run it again with --trace on.
    trace: "off",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath,
      env: { ...process.env, ...env },
      // With these, Chromium sends requests only to the app.
      args: ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"],
    },
  },
  projects: [
    { name: "desktop", use: { viewport: { width: 1440, height: 900 } }, grep: /@desktop/ },
    {
      name: "phone",
      use: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
      grepInvert: /@desktop-only/,
    },
  ],
});
