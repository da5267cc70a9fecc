import { expect, type Page } from "@playwright/test";
import { field, heading } from "@/__tests__/support/fill-in";
import { test } from "@/__tests__/support/journey";
import { tabTo } from "@/__tests__/support/keyboard";
import { openAt } from "@/__tests__/support/stages";

async function typeInto(page: Page, answers: Record<string, string>): Promise<void> {
  for (const [label, answer] of Object.entries(answers)) {
    await tabTo(page, field(page, label));
    await page.keyboard.type(answer);
  }
}

test("the whole journey works by keyboard alone, and each screen focuses its heading @desktop-only", async ({
  page,
}) => {
  const { reference } = await openAt(page, 0);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to main content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByRole("link", { name: "Get started" }));
  await page.keyboard.press("Enter");

  await expect(heading(page, "Landlord & property details")).toBeFocused();
  await tabTo(page, page.getByRole("button", { name: "Next" }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert", { name: "There is a problem" })).toBeFocused();
  await tabTo(page, page.getByRole("link", { name: "First name is required" }));
  await page.keyboard.press("Enter");
  await expect(field(page, "Full name")).toBeFocused();
  await page.keyboard.type("Alex");
  await typeInto(page, {
    "Last name": "Nguyen",
    "Email address": "alex@example.com",
    "Rental property address": "12 Wattle Lane",
  });
  await page.keyboard.press("Enter");

  await expect(heading(page, "Agency Details")).toBeFocused();
  await typeInto(page, { "Agency name": "Harbour & Hill", "Agent first name": "Priya", "Agent last name": "Shah" });
  const country = page.getByRole("combobox", { name: "Country code" });
  await tabTo(page, country);
  // The browser forgets what was typed after a second without a key, which a busy machine may reach.
  await expect(async () => {
    await page.keyboard.type("United K");
    expect(await country.inputValue()).toBe("GB");
  }).toPass({ intervals: [1500] });
  await typeInto(page, { "Agent mobile": "20 7946 0018", "Agent email address": "priya@example.com" });
  await page.keyboard.press("Enter");

  await expect(heading(page, "Lease & funds")).toBeFocused();
  await typeInto(page, {
    "Lease start date": "01012026",
    "Lease end date": "01012027",
    "Current weekly rent": "300",
    "Repair costs": "2450",
  });
  await tabTo(page, page.getByRole("button", { name: "Next" }));
  await page.keyboard.press("Enter");

  await expect(heading(page, "Review your application")).toBeFocused();
  await expect(page.getByText("+44 20 7946 0018")).toBeVisible();
  await tabTo(page, page.getByRole("link", { name: "Change Agent details" }));
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Agency name", { exact: true })).toBeFocused();
  await tabTo(page, page.getByRole("button", { name: "Next" }));
  await page.keyboard.press("Enter");
  await expect(heading(page, "Review your application")).toBeFocused();

  const provide = page.getByRole("checkbox", { name: /provide/ });
  await tabTo(page, provide);
  await page.keyboard.press("Space");
  await expect(provide).toBeChecked();
  await expect(page.getByRole("checkbox", { name: /authorise/ })).not.toBeChecked();
  await tabTo(page, page.getByRole("button", { name: "Submit Application" }));
  await page.keyboard.press("Enter");

  await expect(heading(page, "Your application has been submitted!")).toBeFocused();
  await tabTo(page, page.getByRole("link", { name: "Print or save your receipt" }));
  await page.keyboard.press("Enter");
  await expect(heading(page, "Your receipt")).toBeVisible();
  await expect(page.getByText(reference)).toBeVisible();
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute("data-printed", "");
  });
  await tabTo(page, page.getByRole("button", { name: "Print or save as PDF" }));
  await page.keyboard.press("Enter");
  await expect(page.locator("body[data-printed]")).toBeAttached();
});
