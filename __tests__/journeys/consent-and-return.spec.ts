import { expect } from "@playwright/test";
import { fillStep, heading, next } from "@/__tests__/support/fill-in";
import { test } from "@/__tests__/support/journey";
import { openAt } from "@/__tests__/support/stages";

test("a double tap on the standalone review at /review%26submit submits once", async ({ page }) => {
  await openAt(page, 3, "/review%26submit");
  await expect(heading(page, "Review Your Application")).toBeVisible();
  let sent = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/submit-final")) sent += 1;
  });
  await page.getByRole("button", { name: "Submit Application" }).dblclick();
  await expect(page.getByText("Your application has been submitted!")).toBeVisible();
  expect(sent).toBe(1);
});

test("the browser's Back stays inside the form after reloads", async ({ page }) => {
  await openAt(page, 0);
  await page.getByRole("link", { name: "Get started" }).click();
  await fillStep(page, 1);
  await next(page);
  await fillStep(page, 2);
  await next(page);
  await expect(heading(page, "Lease & funds")).toBeVisible();
  await page.reload();
  await expect(heading(page, "Lease & funds")).toBeVisible();
  await page.goBack();
  await expect(heading(page, "Agency Details")).toBeVisible();
  await page.reload();
  await expect(heading(page, "Agency Details")).toBeVisible();
  await page.goBack();
  await expect(heading(page, "Landlord & property details")).toBeVisible();
  await page.reload();
  await expect(heading(page, "Landlord & property details")).toBeVisible();
  await page.goForward();
  await expect(heading(page, "Agency Details")).toBeVisible();
});
