import { expect, type Page } from "@playwright/test";
import { heading } from "./fill-in";
import { storageRefusals } from "./stages";

/** The two reviews, with and without storage. */
export const reviews = ["/home", "/review&submit"].flatMap((path) =>
  [true, false].map((hasStorage) => ({ path, hasStorage, name: `${path} ${hasStorage ? "with" : "without"} storage` })),
);

/** Opens the review of an application whose steps are saved, by its link alone. */
export async function openReview(
  page: Page,
  link: string,
  { path, hasStorage }: (typeof reviews)[number],
): Promise<void> {
  if (!hasStorage) await page.addInitScript({ content: storageRefusals["takes nothing"] });
  await page.goto(path === "/home" ? link : link.replace("/?", `${path}?`));
  if (path === "/home") await page.getByRole("link", { name: /^(Get started|Start pre-approval)/ }).click();
  await expect(page.getByRole("button", { name: "Submit Application" })).toBeVisible();
  // The review loads the next screens ahead.
  await page.waitForLoadState("networkidle");
}

/**
 * The person reads that the application was submitted, also after Back. The receipt link opens the receipt in this document if the
 * server answers calls, and leads nowhere otherwise.
 */
export async function expectConfirmation(page: Page, isServed = false): Promise<void> {
  const confirmed = heading(page, "Your application has been submitted!");
  await expect(confirmed).toBeVisible();
  await expect(page).toHaveURL(/\/submit-success$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/submit-success$/);
  await page.getByRole("link", { name: "Print or save your receipt" }).click();
  if (isServed) return expect(heading(page, "Your receipt")).toBeVisible();
  await expect(page.getByText("Your receipt couldn't be loaded")).toBeVisible();
  await expect(confirmed).toBeVisible();
}
