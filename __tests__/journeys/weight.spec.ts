import { expect } from "@playwright/test";
import { buildEmptyApp } from "@/__tests__/bench/empty-app";
import { heaviest, weigh } from "@/__tests__/bench/scripts";
import { invite, test } from "@/__tests__/support/journey";

test("the landing and the form bring little more script than an empty page of Next does", async ({ browser }) => {
  // It makes a production build.
  test.setTimeout(600_000);
  const emptyApp = buildEmptyApp();
  const empty = await emptyApp.start();
  try {
    const { link } = await invite("--mobile", "61412345678", "--source", "ba");
    const weights = await weigh(browser, link, empty.url);
    expect(weights.landing / weights.empty).toBeLessThanOrEqual(heaviest.landing);
    expect(weights.home / weights.empty).toBeLessThanOrEqual(heaviest.home);
    // If less than an empty page was weighed, it was not the product.
    expect(Math.min(weights.landing, weights.home)).toBeGreaterThan(weights.empty);
  } finally {
    await empty.end("SIGTERM");
    emptyApp.remove();
  }
});

test("a tap on the start runs no script that has run on the landing", async ({ page }) => {
  const { link } = await invite("--mobile", "61412345678");
  await page.goto(link);
  await page.waitForLoadState("networkidle");
  await page.getByRole("link", { name: "Get started" }).click();
  await expect(page.locator('[name="firstName"]')).toBeEditable();
  await page.waitForLoadState("networkidle");
  const sources = await page
    .locator("script[src]")
    .evaluateAll((scripts) => scripts.map((script) => (script as HTMLScriptElement).src));
  expect(sources.length).toBeGreaterThan(0);
  expect(sources.filter((src, index) => sources.indexOf(src) !== index)).toEqual([]);
});
