import { expect } from "@playwright/test";
import { lease } from "@/__tests__/support/answers";
import { heading, submit } from "@/__tests__/support/fill-in";
import { sql, test } from "@/__tests__/support/journey";
import { openAt } from "@/__tests__/support/stages";

test("a review that another tab has made out of date shows the changes before it submits them", async ({
  page,
  context,
}) => {
  const { token, reference } = await openAt(page, 3, "/home");
  await expect(heading(page, "Review your application")).toBeVisible();

  const other = await context.newPage();
  await other.goto("/home?step=3&then=review");
  await other.getByLabel("Loan amount", { exact: true }).fill("2450");
  await other.getByRole("button", { name: "Next", exact: true }).click();
  await expect(heading(other, "Review your application")).toBeVisible();
  await expect(other.getByText(/Changed since/)).toHaveCount(0);

  await expect(page.getByText("$33,650", { exact: true }).first()).toBeVisible();
  await submit(page);
  await expect(page.getByText("Your application has changed since you read it")).toBeVisible();
  await expect(page.getByText("Changed since you read it, from $33,650").first()).toBeVisible();
  const statusOf = "SELECT status FROM applications WHERE reference = $1";
  expect(await sql(statusOf, [reference])).toEqual({ status: "draft" });

  await submit(page);
  await expect(page).toHaveURL("/submit-success");
  const recorded = `SELECT c.answers->>'loanAmount' AS advance, c.reviewed FROM consent_records c
    JOIN applications a ON a.id = c."applicationId" WHERE reference = $1`;
  expect(await sql(recorded, [reference])).toEqual({ advance: "2450", reviewed: true });

  // A later save by the lender's own app is refused, and the receipt does not change.
  const late = await page.request.post("/api/v1/user/submit-step-3", { data: { token, data: lease } });
  expect(late.status()).toBe(409);
  await page.goto("/receipt");
  await expect(page.getByText("Rental Advance")).toBeVisible();
  // The amount is shown among the answers, as the advance, and as the repair in the sum.
  await expect(page.getByText("$2,450.00", { exact: true })).toHaveCount(3);
});
