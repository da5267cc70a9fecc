import { expect } from "@playwright/test";
import { invite, test } from "@/__tests__/support/journey";

test("a tap on start does not run the landing's scripts again", async ({ page }) => {
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
