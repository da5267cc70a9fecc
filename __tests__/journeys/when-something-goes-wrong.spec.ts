import { expect } from "@playwright/test";
import { fillAgent, fillAll, fillLandlord, heading, next, submit } from "@/__tests__/support/fill-in";
import { invite, sql, test } from "@/__tests__/support/journey";

test("errors show after touch, and Next lists them where they can be followed", async ({ page }) => {
  const { link } = await invite("--mobile", "61412345678");
  await page.goto(link);
  await page.getByRole("link", { name: "Get started" }).click();
  await expect(page.getByText("First name is required")).toHaveCount(0);
  await next(page);
  const summary = page.getByRole("alert").filter({ hasText: "There is a problem" });
  await expect(summary).toBeFocused();
  await expect(page).toHaveTitle(/^Error: /);
  for (const message of [
    "First name is required",
    "Last name is required",
    "Email is required",
    "Rental property address is required",
  ]) {
    await expect(summary.getByRole("link", { name: message })).toBeVisible();
  }
  await summary.getByRole("link", { name: "Email is required" }).click();
  await expect(page.getByLabel("Email address", { exact: true })).toBeFocused();
});

test("the server's message is shown in the banner, which can be dismissed, and nothing typed is lost", async ({
  page,
}) => {
  const { link, reference } = await invite("--mobile", "61412345678");
  await page.goto(link);
  await page.getByRole("link", { name: "Get started" }).click();
  await fillLandlord(page);
  await sql(`UPDATE applications SET status = 'submitted', "submittedAt" = now() WHERE reference = $1 RETURNING id`, [
    reference,
  ]);
  await next(page);
  const banner = page.getByRole("alert").filter({ hasText: "This application has already been submitted" });
  await expect(banner).toBeVisible();
  await expect(page.getByLabel("Last name", { exact: true })).toHaveValue("Nguyen");
  await banner.getByRole("button", { name: "Dismiss" }).click();
  await expect(banner).toHaveCount(0);
});

test("a lost connection is told, keeps what was typed, and a later try goes on", async ({ page }) => {
  const { link } = await invite("--mobile", "61412345678");
  await page.goto(link);
  await page.getByRole("link", { name: "Get started" }).click();
  await fillLandlord(page);
  await page.route("**/submit-step-1", (route) => route.abort());
  await next(page);
  await expect(page.getByText("Failed to submit step 1")).toBeVisible({ timeout: 20_000 });
  await expect(page.getByLabel("Full name", { exact: true })).toHaveValue("Alex");
  await page.unroute("**/submit-step-1");
  await next(page);
  await expect(heading(page, "Agency Details")).toBeVisible();
});

test("data that cannot be loaded is said so, and another try loads it", async ({ page }) => {
  const { link } = await invite("--mobile", "61412345678");
  await page.goto(link);
  await page.route("**/verify-token", (route) => route.abort());
  await page.goto("/home");
  await expect(page.getByText("Failed to load form data")).toBeVisible();
  await expect(page.getByText("Check your connection")).toBeVisible();
  await page.unroute("**/verify-token");
  await page.route("**/verify-token", (route) =>
    route.fulfill({ status: 503, headers: { "x-request-id": "request-1" }, json: { success: false, message: "Away" } }),
  );
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("Try again in a moment.")).toBeVisible();
  await expect(page.getByText("quote request-1")).toBeVisible();
  await page.unroute("**/verify-token");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(heading(page, "Landlord & property details")).toBeVisible();
});

test("what was typed and not saved survives a reload", async ({ page }) => {
  const { link } = await invite("--mobile", "61412345678");
  await page.goto(link);
  await page.getByRole("link", { name: "Get started" }).click();
  await fillLandlord(page);
  await next(page);
  await fillAgent(page);
  await page.getByLabel("Agency name", { exact: true }).blur();
  await page.reload();
  await expect(page.getByLabel("Agency name", { exact: true })).toHaveValue("Harbour & Hill");
});

test("a double tap on Submit sends one submission", async ({ page }) => {
  const { link, reference } = await invite("--mobile", "61412345678");
  await page.goto(link);
  await page.getByRole("link", { name: "Get started" }).click();
  await fillAll(page);
  let sent = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/submit-final")) sent += 1;
  });
  await page.getByRole("button", { name: "Submit Application" }).dblclick();
  await expect(page).toHaveURL("/submit-success");
  expect(sent).toBe(1);
  expect(
    await sql(
      `SELECT count(*)::int FROM consent_records c JOIN applications a ON a.id = c."applicationId" WHERE reference = $1`,
      [reference],
    ),
  ).toEqual({ count: 1 });
});

test("a refused final submission says why in the banner", async ({ page }) => {
  const { link, reference } = await invite("--mobile", "61412345678");
  await page.goto(link);
  await page.getByRole("link", { name: "Get started" }).click();
  await fillAll(page);
  await sql(`UPDATE applications SET "agencyName" = '' WHERE reference = $1 RETURNING id`, [reference]);
  await submit(page);
  await expect(page.getByText("Submission failed: Step 2 (Agent details) is not complete")).toBeVisible();
});
