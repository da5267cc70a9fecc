import { expect } from "@playwright/test";
import { fillStep, heading, next, submit } from "@/__tests__/support/fill-in";
import { invite, sql, test } from "@/__tests__/support/journey";
import { reportFigure } from "@/__tests__/support/size";

const links = [
  { source: "ia", costs: "Invoice or Repair Costs" },
  { source: "", costs: "Repair costs" },
];

for (const { source, costs } of links) {
  test(`a landlord goes from a link ${source ? `of source ${source}` : "without a source"} to the success page${source ? "" : " @desktop"}`, async ({
    page,
  }) => {
    const { link, reference } = await invite("--mobile", "61412345678", ...(source ? ["--source", source] : []));
    await page.goto(link);
    await expect(heading(page, "Unlock future rental income today")).toBeVisible();
    expect(new URL(page.url()).search).toBe("");
    await page.getByRole("link", { name: "Get started" }).click();

    await expect(page.getByLabel("Mobile", { exact: true })).not.toBeEditable();
    await fillStep(page, 1);
    await next(page);
    await fillStep(page, 2);
    await next(page);
    await expect(page.getByLabel(costs, { exact: true })).toBeVisible();
    await fillStep(page, 3, undefined, source);
    await expect(page.getByLabel("Pre-approval number", { exact: true })).toHaveCount(source === "ia" ? 1 : 0);
    await expect(page.getByLabel("Loan amount", { exact: true })).toHaveValue("33650");
    await expect(page.getByLabel("Extra funds", { exact: true })).toHaveValue("31200");
    await next(page);

    await expect(heading(page, "Review your application")).toBeVisible();
    await expect(page).toHaveTitle("Check and submit, step 4 – RentAhead");
    await expect(heading(page, "Calculation Summary")).toBeVisible();
    await expect(page.getByText("January 1, 2026")).toBeVisible();
    await submit(page);

    await expect(page).toHaveURL("/submit-success");
    await expect(page.getByText("Your application has been submitted!")).toBeVisible();
    await expect(page).toHaveTitle(/^Application received/);
    await expect(page.getByText("Most applications are processed within 24 hours.")).toBeVisible();
    await expect(page.getByText("What happens next:")).toBeVisible();
    await expect(page.getByText(reference)).toBeVisible();

    const stored = await sql(
      `SELECT status::text, "loanAmount"::text, "contactNumber", "authoriseAgent", "provideSelf", "confirmLoan"
       FROM applications a JOIN consent_records c ON c."applicationId" = a.id WHERE reference = $1`,
      [reference],
    );
    expect(stored).toEqual({
      status: "submitted",
      loanAmount: "33650.00",
      contactNumber: "61298765432",
      authoriseAgent: true,
      provideSelf: false,
      confirmLoan: true,
    });

    // Neither Back in the browser nor the link in the message leads to the form again.
    await page.goBack();
    await expect(page).toHaveURL("/submit-success");
    await expect(page.getByText("Your application has been submitted!")).toBeVisible();
    await page.goto("/home");
    await expect(page.getByText("Application Submitted Successfully!")).toBeVisible();
    await page.goto(link);
    await expect(page.getByText(reference)).toBeVisible();
    reportFigure(56, "the journeys of every outcome in Chromium passed without an error in the console");
  });
}
