import { expect } from "@playwright/test";
import { heading } from "@/__tests__/support/fill-in";
import { test } from "@/__tests__/support/journey";
import { openAt } from "@/__tests__/support/stages";

test("opening the form from the landing does not load the landing's scripts again", async ({ page }) => {
  await openAt(page, 0);
  await page.waitForLoadState("networkidle");
  await page.getByRole("link", { name: "Get started" }).click();
  await expect(heading(page, "Landlord & property details")).toBeVisible();
  await expect(page.locator('[name="firstName"]')).toBeEditable();
  const sources = await page
    .locator("script[src]")
    .evaluateAll((scripts) => scripts.map((script) => (script as HTMLScriptElement).src));
  expect(sources.length).toBeGreaterThan(0);
  expect(sources.filter((src, index) => sources.indexOf(src) !== index)).toEqual([]);
});
