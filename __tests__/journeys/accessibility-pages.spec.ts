import { expect } from "@playwright/test";
import { expectNoViolations } from "@/__tests__/support/axe";
import { test } from "@/__tests__/support/journey";
import { openAt } from "@/__tests__/support/stages";

test("the verification of a link is announced as a status, its failure as an alert, without an axe violation", async ({
  page,
}) => {
  await openAt(page, 0);
  let isReachable = true;
  await page.route("**/verify-token", (route) => (isReachable ? undefined : route.abort()));
  await page.goto("/home");
  await expect(page.getByRole("status")).toContainText("Securing your session...");
  await expectNoViolations(page, "the loading screen");
  isReachable = false;
  await page.reload();
  await expect(page.getByRole("alert").filter({ hasText: "Failed to load form data" })).toBeVisible();
  await expectNoViolations(page, "data that could not be loaded");
});

test("the screen while the form's scripts load has no axe violation", async ({ page }) => {
  await openAt(page, 0);
  await page.route("**/_next/static/**/*.js", async (route) => {
    const response = await route.fetch();
    const isForm = (await response.text()).includes("We kept what you typed on this device.");
    if (!isForm) await route.fulfill({ response });
  });
  await page.goto("/home", { waitUntil: "commit" });
  await expect(page.getByText("Loading form data...")).toBeVisible();
  await expectNoViolations(page, "the form's code on its way");
});
