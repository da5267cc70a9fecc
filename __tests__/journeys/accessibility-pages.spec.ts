import { expect } from "@playwright/test";
import { expectNoViolations } from "@/__tests__/support/axe";
import { heading } from "@/__tests__/support/fill-in";
import { decide, test } from "@/__tests__/support/journey";
import { invitedAtStage, openAt } from "@/__tests__/support/stages";
import { defaultBrand } from "@/lib/brand";
import { statusHeadings, statusWords } from "@/lib/domain/status-words";

test("both landings, one of them resumed, and the 404 page have no axe violation @desktop", async ({ page }) => {
  await openAt(page, 1, "", "--source", "ba");
  await expect(page.getByText("Welcome back.")).toBeVisible();
  await expectNoViolations(page, "the landing of source ba, resumed");
  await page.goto("/landing?source=ia");
  await expect(heading(page, "Unlock future rental income today")).toBeVisible();
  await expectNoViolations(page, "the invoice landing");
  await page.goto("/no/such/page");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expectNoViolations(page, "the 404 page");
});

test("what a stranger sees, and what shows while a link is verified, have no axe violation @desktop", async ({
  page,
}) => {
  await page.goto("/un-authorized");
  await expectNoViolations(page, "the 401 page");
  await openAt(page, 0);
  let isReachable = true;
  await page.route("**/verify-token", (route) => (isReachable ? undefined : route.abort()));
  await page.goto("/home");
  await expect(page.getByText("Securing your session...")).toBeVisible();
  await expectNoViolations(page, "the loading screen");
  isReachable = false;
  await page.reload();
  await expect(page.getByText("Failed to load form data")).toBeVisible();
  await expectNoViolations(page, "data that could not be loaded");
});

test("the screen while the form's scripts load has no axe violation @desktop", async ({ page }) => {
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

test("every screen shows the status of the application, without an axe violation @desktop", async ({ page }) => {
  const { link, reference } = await invitedAtStage("submitted", "--source", "ba");
  for (const status of ["submitted", "in-review", "approved", "declined"] as const) {
    await decide(reference, status);
    const words = { ...statusHeadings[status], ...statusWords(defaultBrand)[status] };
    await page.goto(link);
    await expect(heading(page, words.heading)).toBeVisible();
    await expectNoViolations(page, `the landing when ${status}`);
    await page.goto("/submit-success");
    await expect(heading(page, words.heading)).toBeFocused();
    await expect(heading(page, words.nextHeading)).toBeVisible();
    await expectNoViolations(page, `/submit-success when ${status}`);
  }
});

test("the submitted state and the receipt have no axe violation @desktop", async ({ page }) => {
  await openAt(page, "submitted", "/home");
  await expect(heading(page, "Application Submitted Successfully!")).toBeVisible();
  await expectNoViolations(page, "the submitted state");
  await page.getByRole("link", { name: "Print or save your receipt" }).click();
  await expect(heading(page, "Your receipt")).toBeVisible();
  await expectNoViolations(page, "the receipt");
});
