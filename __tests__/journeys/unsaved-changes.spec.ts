import { expect, type Page } from "@playwright/test";
import { heading, submit } from "@/__tests__/support/fill-in";
import { sql, test } from "@/__tests__/support/journey";
import { invitedAtStage } from "@/__tests__/support/stages";

const reason = (page: Page) => page.getByText(/^To submit, save or undo your changes in/);
const submitButton = (page: Page) => page.getByRole("button", { name: "Submit Application" });
const undo = (page: Page, step: string) => page.getByRole("button", { name: `Undo changes in ${step}` });
const loanAmount = (page: Page) => page.getByLabel("Loan amount", { exact: true });
const drafts = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("draft_")).length);

/** Taps the button even if it is disabled, as a finger does. Without `force`, Playwright would wait until it is enabled. */
async function tapSubmit(page: Page): Promise<void> {
  await submitButton(page).scrollIntoViewIfNeeded();
  await submitButton(page).tap({ force: true });
}

async function statusOf(reference: string): Promise<unknown> {
  return (await sql("SELECT status FROM applications WHERE reference = $1", [reference]))?.status;
}

async function submittedAdvance(reference: string): Promise<unknown> {
  const record = await sql(
    `SELECT c.answers->>'loanAmount' AS advance FROM consent_records c
     JOIN applications a ON a.id = c."applicationId" WHERE reference = $1`,
    [reference],
  );
  return record?.advance;
}

async function openReview(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.goto("/home");
  await expect(heading(page, "Review your application")).toBeVisible();
}

/** Chooses an advance of the invoice alone, then leaves the step without saving it. */
async function changeLoanAndGoBack(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Change Lease & funds" }).click();
  await page.getByRole("radio", { name: "Only the invoice: $2,450" }).click();
  await expect(loanAmount(page)).toHaveValue("2450");
  await page.goBack();
  await expect(heading(page, "Review your application")).toBeVisible();
}

test("the standalone review blocks for the same changes, also after a reload, and submits once they are undone", async ({
  page,
}) => {
  const { link, reference } = await invitedAtStage(3);
  await openReview(page, link);
  await changeLoanAndGoBack(page);
  await page.goto("/review&submit");
  await expect(reason(page)).toHaveText("To submit, save or undo your changes in Lease & funds.");
  await page.reload();
  await tapSubmit(page);
  await expect(reason(page)).toBeInViewport();
  expect(await statusOf(reference)).toBe("draft");

  await reason(page).getByRole("link", { name: "Lease & funds" }).click();
  await expect(loanAmount(page)).toHaveValue("2450");
  await page.goBack();
  await undo(page, "Lease & funds").click();
  await expect(page.getByText("We've undone your changes in Lease & funds.")).toBeVisible();
  expect(await statusOf(reference)).toBe("draft");
  expect(await drafts(page)).toBe(0);
  await submit(page);
  await expect(page).toHaveURL("/submit-success");
  expect(await submittedAdvance(reference)).toBe("33650");
});

test("a double tap on Undo does not submit, on screens of any width", async ({ page }) => {
  const { link, reference } = await invitedAtStage(3);
  await openReview(page, link);
  let submissions = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/submit-final")) submissions++;
  });
  for (const width of [320, 390, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    await changeLoanAndGoBack(page);
    await undo(page, "Lease & funds").scrollIntoViewIfNeeded();
    const box = await undo(page, "Lease & funds").boundingBox();
    if (!box) throw new Error("Undo is not on the screen");
    // The lower edge of Undo is the closest to Submit.
    const [x, y] = [box.x + box.width / 2, box.y + box.height - 2];
    await page.mouse.click(x, y);
    await page.mouse.click(x, y);
    await expect(reason(page)).toHaveCount(0);
    await page.waitForLoadState("networkidle");
    expect(submissions, `submissions at ${width} pixels`).toBe(0);
    expect(await statusOf(reference)).toBe("draft");
    const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(scrollWidth).toBeLessThanOrEqual(width);
  }
});
