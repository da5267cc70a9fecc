import { expect, type Page } from "@playwright/test";
import { heading } from "@/__tests__/support/fill-in";
import { sql, test } from "@/__tests__/support/journey";
import { openAt } from "@/__tests__/support/stages";

/** Chooses an advance of the invoice alone, then leaves the step without saving it. */
async function changeLoanAndGoBack(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Change Lease & funds" }).click();
  await page.getByRole("button", { name: "Only the repair: $2,450" }).click();
  await expect(page.getByLabel("Loan amount", { exact: true })).toHaveValue("2450");
  await page.goBack();
  await expect(heading(page, "Review your application")).toBeVisible();
}

test("a double tap on Undo does not submit at any width, and a blocked Submit shows its reason", async ({ page }) => {
  const { reference } = await openAt(page, 3, "/home");
  const reason = page.getByText("To submit, save or undo your changes in Lease & funds.");
  const undo = page.getByRole("button", { name: "Undo changes in Lease & funds" });
  const submit = page.getByRole("button", { name: "Submit Application" });
  let submissions = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/submit-final")) submissions++;
  });
  for (const width of [320, 390, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    await changeLoanAndGoBack(page);
    // At the end of the page, Submit moves up when the page becomes shorter.
    await submit.scrollIntoViewIfNeeded();
    const box = await undo.boundingBox();
    if (!box) throw new Error("Undo is not on the screen");
    // The lower edge of Undo is the closest to Submit.
    const [x, y] = [box.x + box.width / 2, box.y + box.height - 2];
    // On a busy machine, the two taps may be further apart than those of a double tap.
    await page.evaluate(() => {
      const now = performance.now();
      performance.now = () => now;
    });
    await page.mouse.click(x, y);
    await page.mouse.click(x, y);
    await expect(reason).toHaveCount(0);
    await page.evaluate(() => Reflect.deleteProperty(performance, "now"));
    expect(submissions, `submissions at ${width} pixels`).toBe(0);
    const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(scrollWidth).toBeLessThanOrEqual(width);
  }
  await changeLoanAndGoBack(page);
  await submit.scrollIntoViewIfNeeded();
  // Without `force`, Playwright would wait until the button is enabled.
  await submit.tap({ force: true });
  await expect(reason).toBeInViewport();
  expect(submissions).toBe(0);
  expect(await sql("SELECT status FROM applications WHERE reference = $1", [reference])).toEqual({ status: "draft" });
});
