import { expect } from "@playwright/test";
import { invite, test } from "@/__tests__/support/journey";
import { openAt } from "@/__tests__/support/stages";
import { defaultBrand } from "@/lib/brand";

test("every page shows an unsupported browser a notice with the number to call", async ({ page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(window, "structuredClone"));
  const { link } = await invite("--mobile", "61412345678");
  for (const address of [link, "/home", "/un-authorized"]) {
    await page.goto(address);
    const notice = page.getByText("This browser is too old to open your application.");
    await expect(notice).toBeVisible();
    await expect(notice).toContainText(`call us: ${defaultBrand.supportPhone}`);
  }
});

test("a current browser sees no notice about its age", async ({ page }) => {
  await openAt(page, 0);
  await expect(page.getByRole("link", { name: "Get started" })).toBeVisible();
  await expect(page.getByText(/too old/)).toBeHidden();
});
