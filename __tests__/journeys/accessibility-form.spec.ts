import { expect } from "@playwright/test";
import { expectNoViolations } from "@/__tests__/support/axe";
import { fillStep, heading, next, submit } from "@/__tests__/support/fill-in";
import { test } from "@/__tests__/support/journey";
import { openAt, type Stage } from "@/__tests__/support/stages";
import { answerSteps } from "@/lib/domain/journey";

const known = ["--source", "ia", "--first-name", "Ada", "--quote", "2450"];

for (const step of answerSteps) {
  test(`step ${step}, filled in and restored, has no axe violation`, async ({ page }) => {
    await openAt(page, (step - 1) as Stage, "/home", ...known);
    await fillStep(page, step, undefined, "ia");
    await page.keyboard.press("Tab");
    await expectNoViolations(page, `step ${step} filled in`);

    await page.reload();
    await expect(page.getByText("We kept what you typed on this device.")).toBeVisible();
    await expectNoViolations(page, `step ${step} restored`);
  });
}

test("the form while loading, saving, failing and offline has no axe violation", async ({ page, context }) => {
  await openAt(page, 0, "/home");
  await fillStep(page, 1);
  let answer = () => {};
  await page.route("**/submit-step-1", async (route) => {
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    await route.fulfill({ status: 422, json: { success: false } });
  });
  await next(page);
  await expect(page.getByRole("button", { name: "Saving..." })).toBeVisible();
  await expectNoViolations(page, "a step being saved");
  answer();
  await expect(page.getByText("Step 1 submission failed")).toBeVisible();
  await expectNoViolations(page, "the failure banner");
  await context.setOffline(true);
  await expect(page.getByText("You're offline.")).toBeVisible();
  await expectNoViolations(page, "the form offline");
});

test("the reviews, blocked, incomplete and being submitted, have no axe violation", async ({ page }) => {
  await openAt(page, 3, "", "--first-name", "Alexandra", "--quote", "999");
  for (const [path, title] of [
    ["/home", "Review your application"],
    ["/review&submit", "Review Your Application"],
  ] as const) {
    await page.goto(path);
    await expect(heading(page, title)).toBeVisible();
    await page.getByRole("checkbox", { name: /confirm/ }).uncheck();
    await expect(page.getByText("To submit, tick the last box")).toBeVisible();
    await expectNoViolations(page, `${path} with Submit blocked`);
  }
  await page.getByRole("checkbox", { name: /confirm/ }).check();
  await page.route("**/submit-final", () => {});
  await submit(page);
  await expect(page.getByRole("button", { name: "Submitting..." })).toBeVisible();
  await expectNoViolations(page, "the review being submitted");

  await openAt(page, 1, "/review&submit");
  await expect(page.getByText("Your application isn't complete yet.")).toBeVisible();
  await expectNoViolations(page, "the review of an incomplete application");
});
