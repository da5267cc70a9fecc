import { expect } from "@playwright/test";
import { back, heading, next } from "@/__tests__/support/fill-in";
import { test } from "@/__tests__/support/journey";
import { openAt } from "@/__tests__/support/stages";

test("/review&submit opens a step, returns from it and goes back to step 3, each time with the focus where the person continues", async ({
  page,
}) => {
  await openAt(page, 3, "/home?step=2");
  await expect(heading(page, "Agency Details")).toBeVisible();
  await page.goto("/review&submit");
  await page.evaluate(() => {
    const focused: (string | null)[] = [];
    Object.assign(window, { focused });
    document.addEventListener("focusin", ({ target }) => focused.push((target as HTMLElement).textContent));
  });
  await page.getByRole("link", { name: "Change agent details" }).click();
  await expect(page.getByLabel("Agency name", { exact: true })).toBeFocused();
  // The form does not show its review first, although Next renders the form before it changes the URL.
  const focused = await page.evaluate(() => (window as unknown as { focused: string[] }).focused);
  expect(focused).not.toContain("Review your application");
  await page.getByLabel("Agency name", { exact: true }).fill("Harbour & Hill");
  await page.evaluate(() => Object.assign(window, { isSameDocument: true }));
  await next(page);
  await expect(page).toHaveURL("/review&submit");
  // Another document would use the token that another tab may have stored meanwhile.
  expect(await page.evaluate(() => "isSameDocument" in window)).toBe(true);
  await expect(page.getByText("Harbour & Hill", { exact: true })).toBeVisible();
  await expect(heading(page, "Review Your Application")).toBeFocused();
  await back(page);
  await expect(page).toHaveURL("/home?step=3");
  await expect(heading(page, "Lease & funds")).toBeFocused();
});

test("with reduced motion, the mark of a changed amount does not fade", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await openAt(page, 3, "/home?step=3", "--quote", "2450");
  await page.getByLabel("Repair costs", { exact: true }).fill("3000");
  await expect(page.getByText("Changed from $2,450")).toBeVisible();
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
});
