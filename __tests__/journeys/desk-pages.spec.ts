import { expect, test } from "@playwright/test";
import { deskUrl, signIn } from "@/__tests__/support/desk";
import { decide, invite, sql } from "@/__tests__/support/journey";

test("a clerk finds a person by half a name, takes the application and adds a note", async ({ page }) => {
  const name = `Zephyr${Date.now()}`;
  const { reference } = await invite("--mobile", "61412000882", "--first-name", name, "--last-name", "Findable");
  await signIn(page, "Casey");
  await page.getByRole("searchbox", { name: "Search" }).fill(name.slice(0, 15));
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: reference }).first().click();
  await expect(page).toHaveURL(`${deskUrl()}/desk/${reference}`);
  await page.getByRole("button", { name: "Take", exact: true }).click();
  await expect(page.getByRole("button", { name: "Release", exact: true })).toBeVisible();
  expect(await sql(`SELECT "takenBy" FROM applications WHERE reference = $1`, [reference])).toEqual({
    takenBy: "casey.clerk@lender.example",
  });
});

test("an approver approves an application after seeing what the landlord gets, and undoes it", async ({ page }) => {
  const { reference } = await invite(
    "--mobile",
    "61412000883",
    "--first-name",
    "Petra",
    "--email",
    "petra@mail.example",
  );
  await sql(`UPDATE applications SET "submittedAt" = now() WHERE reference = $1 RETURNING id`, [reference]);
  await decide(reference, "in-review");
  await signIn(page, "Robin", `/desk/${reference}`);
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/desk/${reference}/status/approved`));
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await expect
    .poll(async () => (await sql(`SELECT status FROM applications WHERE reference = $1`, [reference]))?.status)
    .toBe("approved");
  await page.goto(`${deskUrl()}/desk/${reference}`);
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect
    .poll(async () => (await sql(`SELECT status FROM applications WHERE reference = $1`, [reference]))?.status)
    .toBe("in_review");
});
