import { expect, type Page } from "@playwright/test";

const fields = (page: Page) => async (answers: Record<string, string>) => {
  for (const [label, answer] of Object.entries(answers)) await page.getByLabel(label, { exact: true }).fill(answer);
};

/** The buttons and steps of the form, as a landlord reads them (product.md, "Names …"). */
export const next = (page: Page) => page.getByRole("button", { name: "Next", exact: true }).click();
export const back = (page: Page) => page.getByRole("button", { name: "Back", exact: true }).click();
export const submit = (page: Page) => page.getByRole("button", { name: "Submit Application" }).click();
export const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });

export async function fillLandlord(page: Page): Promise<void> {
  await expect(heading(page, "Landlord & property details")).toBeVisible();
  await fields(page)({
    "Full name": "Alex",
    "Last name": "Nguyen",
    "Email address": "alex@example.com",
    "Rental property address": "12 Wattle Lane, Newtown NSW 2042",
  });
}

/** `mobile` is left out where the invitation holds it. */
export async function fillAgent(page: Page, mobile: string | null = "0298 765 432"): Promise<void> {
  await expect(heading(page, "Agency Details")).toBeVisible();
  await fields(page)({
    "Agency name": "Harbour & Hill",
    "Agent first name": "Priya",
    "Agent last name": "Shah",
    ...(mobile === null ? {} : { "Agent mobile": mobile }),
    "Agent email address": "priya@example.com",
  });
}

export async function fillLease(page: Page, costs = "Repair costs"): Promise<void> {
  await expect(heading(page, "Lease & funds")).toBeVisible();
  await fields(page)({
    "Lease start date": "2026-01-01",
    "Lease end date": "2027-01-01",
    "Current weekly rent": "300",
    [costs]: "2450",
  });
}

/** From the first step to the review. */
export async function fillAll(page: Page): Promise<void> {
  await fillLandlord(page);
  await next(page);
  await fillAgent(page);
  await next(page);
  await fillLease(page);
  await next(page);
  await expect(heading(page, "Review your application")).toBeVisible();
}
