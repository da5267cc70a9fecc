import { expect } from "@playwright/test";
import { test } from "@/__tests__/support/journey";
import { openAt } from "@/__tests__/support/stages";
import { defaultBrand } from "@/lib/brand";

test("every page shows an unsupported browser a notice with the number to call, and a current one none", async ({
  page,
}) => {
  const { link } = await openAt(page, 0);
  await expect(page.getByRole("link", { name: "Get started" })).toBeVisible();
  const notice = page.getByText("This browser is too old to open your application.");
  await expect(notice).toBeHidden();
  await page.addInitScript(() => Reflect.deleteProperty(window, "structuredClone"));
  for (const address of [link, "/home", "/un-authorized"]) {
    await page.goto(address);
    await expect(notice).toBeVisible();
    await expect(notice).toContainText(`call us: ${defaultBrand.supportPhone}`);
  }
});
