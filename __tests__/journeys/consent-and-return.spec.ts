import { expect } from "@playwright/test";
import { back, fillAll, fillStep, heading, next, submit } from "@/__tests__/support/fill-in";
import { invite, sql, test } from "@/__tests__/support/journey";
import { invitedAtStage } from "@/__tests__/support/stages";

test("the two consents exclude each other, and Submit waits for what is missing", async ({ page }) => {
  const { link, reference } = await invite("--mobile", "61412345678", "--source", "ba");
  await page.goto(link);
  await page.getByRole("link", { name: "Start pre-approval" }).click();
  await fillAll(page);
  const box = (name: RegExp) => page.getByRole("checkbox", { name });
  const authorise = box(/authorise/);
  const provide = box(/provide/);
  const confirm = box(/confirm/);
  const button = page.getByRole("button", { name: "Submit Application" });
  await expect(authorise).toBeChecked();
  await expect(provide).not.toBeChecked();
  await expect(confirm).toBeChecked();

  await provide.check();
  await expect(authorise).not.toBeChecked();
  await authorise.check();
  await expect(provide).not.toBeChecked();
  await confirm.uncheck();
  await expect(button).toBeDisabled();
  await confirm.check();
  await authorise.uncheck();
  await expect(button).toBeDisabled();
  await provide.check();
  await expect(button).toBeEnabled();
  await submit(page);
  await expect(page).toHaveURL("/submit-success");
  expect(
    await sql(
      `SELECT "authoriseAgent", "provideSelf", "confirmLoan" FROM consent_records c
       JOIN applications a ON a.id = c."applicationId" WHERE reference = $1`,
      [reference],
    ),
  ).toEqual({ authoriseAgent: false, provideSelf: true, confirmLoan: true });
});

test("who returns after submission sees the submitted state and the reference, not the form", async ({ page }) => {
  const { link, reference } = await invite("--mobile", "61412345678");
  await page.goto(link);
  await page.getByRole("link", { name: "Get started" }).click();
  await fillAll(page);
  await submit(page);
  await expect(page).toHaveURL("/submit-success");
  await page.goto("/home");
  await expect(page.getByText("Application Submitted Successfully!")).toBeVisible();
  await expect(page.getByText("Your application has been Submitted!")).toBeVisible();
  await expect(page.getByText(reference)).toBeVisible();
  await page.goto(link);
  await expect(page.getByText(reference)).toBeVisible();
});

test("who resumes at the review without the landing reads the step in the window's title, and submits", async ({
  page,
}) => {
  const { link } = await invitedAtStage(3);
  await page.goto(link);
  await page.goto("/home");
  await expect(heading(page, "Review your application")).toBeVisible();
  await expect(page).toHaveTitle("Check and submit, step 4 – RentAhead");
  await submit(page);
  await expect(page).toHaveURL("/submit-success");
  await expect(heading(page, "Your application has been submitted!")).toBeVisible();
  await expect(page).toHaveTitle(/^Application received/);
});

test("the success page claims no submission where there is none", async ({ page }) => {
  const { link } = await invite("--mobile", "61412345678");
  await page.goto(link);
  await page.goto("/submit-success");
  await expect(page).toHaveURL("/home");
});

for (const path of ["/review&submit", "/review%26submit"]) {
  test(`the standalone review at ${path} submits @desktop`, async ({ page }) => {
    const { link } = await invite("--mobile", "61412345678");
    await page.goto(link);
    await page.getByRole("link", { name: "Get started" }).click();
    await fillAll(page);
    await page.goto(path);
    await expect(heading(page, "Review Your Application")).toBeVisible();
    for (const section of [
      "Personal Details",
      "Property & Rental Details",
      "Agency Details",
      "Calculation Summary",
      "Consent & Agreement",
    ]) {
      await expect(page.getByText(section, { exact: true }).first()).toBeVisible();
    }
    await submit(page);
    await expect(page.getByText("Your application has been submitted!")).toBeVisible();
  });
}

test("Back goes one step back inside the form, with the button and with the browser", async ({ page }) => {
  const { link } = await invite("--mobile", "61412345678");
  await page.goto(link);
  await page.getByRole("link", { name: "Get started" }).click();
  await fillAll(page);
  await page.goBack();
  await expect(heading(page, "Lease & funds")).toBeVisible();
  await back(page);
  await expect(heading(page, "Agency Details")).toBeVisible();
});

test("Back in the browser stays inside the form after a refresh", async ({ page }) => {
  const { link } = await invite("--mobile", "61412345678");
  await page.goto(link);
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
