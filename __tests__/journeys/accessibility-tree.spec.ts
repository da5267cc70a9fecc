import { expect } from "@playwright/test";
import { heading, next } from "@/__tests__/support/fill-in";
import { test } from "@/__tests__/support/journey";
import { openAt } from "@/__tests__/support/stages";

test("a step is read in order: progress, errors, heading, fields with hints and errors, buttons", async ({ page }) => {
  await openAt(page, 1, "/home", "--agent-first-name", "Priya");
  await expect(heading(page, "Agency Details")).toBeVisible();
  await next(page);
  await expect(page.getByRole("main")).toMatchAriaSnapshot(`
    - navigation "Progress":
      - paragraph: Step 2 of 4
    - alert "There is a problem":
      - heading "There is a problem" [level=2]
      - list:
        - listitem:
          - link "Agency name is required":
            - /url: "#agencyName"
        - listitem:
          - link "Property manager last name is required"
        - listitem:
          - link "Contact number is required"
        - listitem:
          - link "Manager email is required"
    - heading "Agency Details" [level=1]
    - paragraph: "Error: Agency name is required"
    - textbox "Agency name" [invalid]
    - textbox "Agent first name": Priya
    - textbox "Agent last name" [invalid]
    - combobox "Country code"
    - textbox "Agent mobile" [invalid]
    - textbox "Agent email address" [invalid]
    - button "Back"
    - button "Next"
    - status
  `);
  const name = page.getByLabel("Agency name", { exact: true });
  await expect(name).toHaveAccessibleDescription(/agency that collects your rent.*Agency name is required/);
  await expect(name).toHaveAttribute("aria-required", "true");
});

test("the progress is an ordered list that marks the current and the completed steps @desktop", async ({
  page,
  isMobile,
}) => {
  await openAt(page, 2, "/home");
  const progress = page.getByRole("navigation", { name: "Progress" });
  await expect(progress.getByText("Step 3 of 4")).toBeAttached();
  await expect(progress.locator("ol > [aria-current=step]")).toHaveText("3Lease & funds");
  const listed = progress.getByRole("listitem");
  if (isMobile) {
    await expect(listed).toHaveCount(1);
    await expect(progress.getByText("2 of 4 completed")).toBeAttached();
  } else {
    await expect(listed).toHaveText([/Landlord.*, completed$/, /Agent.*, completed$/, /Lease & funds$/, /Review/]);
    const mark = (text: string) => progress.getByText(text, { exact: true }).first();
    const brand = await mark("3").evaluate((current) => getComputedStyle(current).backgroundColor);
    await expect(mark("✓")).toHaveCSS("color", brand);
    await expect(mark("4")).not.toHaveCSS("color", brand);
  }
});
