import { expect, type Page } from "@playwright/test";
import { field, heading, next } from "@/__tests__/support/fill-in";
import { test } from "@/__tests__/support/journey";
import { openAt, type Stage } from "@/__tests__/support/stages";
import { labelOf, namesOf } from "@/lib/domain/application";
import { type AnswerStep, answerSteps, steps } from "@/lib/domain/journey";

const topOf = async (page: Page, label: string) => (await field(page, label).boundingBox())?.y;

/** The fields that have an error when they are left empty, and two of another form. */
const requiredIn = (step: AnswerStep) =>
  namesOf(step).filter((name) => !["mobile", "source", "approval"].includes(name));

for (const step of answerSteps) {
  test(`a press that leaves an empty field of step ${step} ends where it began @desktop`, async ({
    page,
    isMobile,
  }) => {
    test.slow();
    await openAt(page, (step - 1) as Stage, "/home");
    await expect(heading(page, steps[step].heading)).toBeVisible();
    const labels = requiredIn(step).map((name) => labelOf(name));
    const last = labels.at(-1) ?? "";
    for (const label of labels.slice(0, -1)) {
      await field(page, label).fill("");
      const target = page.locator(`label:text-is("${last}")`);
      await target.scrollIntoViewIfNeeded();
      const before = await topOf(page, last);
      if (isMobile) {
        // Two taps within 300 ms are a double tap, which presses nothing.
        await page.waitForTimeout(350);
        await target.tap();
      } else {
        await target.hover();
        await page.mouse.down();
        await page.waitForTimeout(150);
        expect(await topOf(page, last), label).toBe(before);
        await page.mouse.up();
      }
      await expect(field(page, last), label).toBeFocused();
      await expect(field(page, label), label).toHaveAttribute("aria-invalid", "true");
    }
  });
}

test("the summary keeps its height while its problems are corrected, with text of any size", async ({ page }) => {
  for (const [width, text] of [
    [390, "100%"],
    [320, "200%"],
  ] as const) {
    await page.setViewportSize({ width, height: 844 });
    await openAt(page, 0, "/home", "--first-name", "Ada", "--last-name", "Byron");
    await page.evaluate((size) => {
      document.documentElement.style.fontSize = size;
    }, text);
    await next(page);
    const summary = page.locator("[aria-labelledby=problem-title]");
    await expect(summary).toBeFocused();
    const before = await summary.boundingBox();
    await field(page, "Email address").fill("ada@example.com");
    await field(page, "Rental property address").fill("1 Wattle Lane");
    await page.keyboard.press("Tab");
    await expect(heading(page, "All corrected. Press Next to continue.")).toBeVisible();
    expect((await summary.boundingBox())?.height, `${width} pixels, text at ${text}`).toBe(before?.height);
  }
});

test("an error stands above its input on a phone, and below it on a wide screen @desktop", async ({
  page,
  isMobile,
}) => {
  await openAt(page, 0, "/home");
  await next(page);
  const error = await page.locator("#firstName-error").boundingBox();
  const input = await page.locator("#firstName").boundingBox();
  expect((error?.y ?? 0) < (input?.y ?? 0)).toBe(isMobile);
});
