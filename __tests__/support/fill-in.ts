import { expect, type Locator, type Page } from "@playwright/test";

type Give = (field: Locator, answer: string) => Promise<void>;

const atOnce: Give = (field, answer) => field.fill(answer);

const fields =
  (page: Page, give: Give = atOnce) =>
  async (answers: Record<string, string>) => {
    for (const [label, answer] of Object.entries(answers)) await give(page.getByLabel(label, { exact: true }), answer);
  };

/** Buttons and fields are found by their accessible names, as the applicant sees them. */
export const next = (page: Page) => page.getByRole("button", { name: "Next", exact: true }).click();
export const back = (page: Page) => page.getByRole("button", { name: "Back", exact: true }).click();
export const submit = (page: Page) => page.getByRole("button", { name: "Submit Application" }).click();
export const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });

export async function fillLandlord(page: Page, give?: Give): Promise<void> {
  await expect(heading(page, "Landlord & property details")).toBeVisible();
  await fields(
    page,
    give,
  )({
    "Full name": "Alex",
    "Last name": "Nguyen",
    "Email address": "alex@example.com",
    "Rental property address": "12 Wattle Lane, Newtown NSW 2042",
  });
}

/** `mobile` is null where the invitation carries it and the field is read-only. */
export async function fillAgent(page: Page, mobile: string | null = "0298 765 432", give?: Give): Promise<void> {
  await expect(heading(page, "Agency Details")).toBeVisible();
  await fields(
    page,
    give,
  )({
    "Agency name": "Harbour & Hill",
    "Agent first name": "Priya",
    "Agent last name": "Shah",
    ...(mobile === null ? {} : { "Agent mobile": mobile }),
    "Agent email address": "priya@example.com",
  });
}

export async function fillLease(page: Page, costs = "Repair costs", give?: Give): Promise<void> {
  await expect(heading(page, "Lease & funds")).toBeVisible();
  await fields(
    page,
    give,
  )({
    "Lease start date": "2026-01-01",
    "Lease end date": "2027-01-01",
    "Current weekly rent": "300",
    [costs]: "2450",
  });
}

/** From step 1 to the review; `give` is how an answer gets into its field (typed, pasted …). */
export async function fillAll(page: Page, give?: Give): Promise<void> {
  await fillLandlord(page, give);
  await next(page);
  await fillAgent(page, undefined, give);
  await next(page);
  await fillLease(page, undefined, give);
  await next(page);
  await expect(heading(page, "Review your application")).toBeVisible();
}
