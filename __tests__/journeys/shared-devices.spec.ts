import { expect, type Page } from "@playwright/test";
import { fillAll, fillStep, heading, submit } from "@/__tests__/support/fill-in";
import { invite, sql, test } from "@/__tests__/support/journey";
import { reportFigure } from "@/__tests__/support/size";
import { invitedAtStage, openAt, storageRefusals } from "@/__tests__/support/stages";

const forget = (page: Page) => page.getByRole("button", { name: /^Not \w+\?$/ }).click();
const storedKeys = (page: Page) => page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]);

async function expectForgotten(page: Page): Promise<void> {
  await expect(heading(page, "This device no longer has your application")).toBeVisible();
  await expect(page.getByText("Unauthorized Access")).toBeHidden();
  await expect(page).toHaveTitle(/^Removed from this device/);
  expect(await storedKeys(page)).toEqual([]);
}

test("form, reviews and receipt name the applicant, and the receipt can forget the device", async ({ page }) => {
  const { reference } = await openAt(page, 3);
  for (const path of ["/home?step=1", "/home", "/review&submit"]) {
    await page.goto(path);
    await expect(page.getByRole("region", { name: "Applicant" })).toContainText(`Ada Byron, ${reference}`);
    await expect(page.getByRole("button", { name: /^Not \w+\?$/ })).toBeVisible();
  }
  const sent = await invitedAtStage("submitted");
  await page.goto(sent.link);
  await page.goto("/receipt");
  await expect(page.getByRole("region", { name: "Applicant" })).toContainText("Ada Byron");
  await expect(page.getByText(sent.reference, { exact: true })).toBeVisible();
  // The button asks for confirmation even if nothing was typed, because one tap must not lock anybody out.
  await forget(page);
  await expect(page.getByText("Remove this application from this device?")).toBeVisible();
  await page.reload();
  await expect(heading(page, "Your receipt")).toBeVisible();
  await forget(page);
  await page.getByRole("button", { name: "Forget this device" }).click();
  await expectForgotten(page);
});

test("the landing names the applicant and can forget the device", async ({ page }) => {
  await openAt(page, 1);
  await forget(page);
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("button", { name: "Forget this device" })).toBeHidden();
  await forget(page);
  await page.getByRole("button", { name: "Forget this device" }).click();
  await expectForgotten(page);
});

test("'Not Ada?' removes token, source and drafts from the device, and keeps the saved application", async ({
  page,
  context,
}) => {
  const { link, reference } = await openAt(page, 1, "/home");
  const second = await context.newPage();
  await second.goto("/home");
  await fillStep(page, 2);
  await page.getByLabel("Agency name", { exact: true }).blur();
  await forget(page);
  // Unsaved answers are deleted too, so the button asks first, while they can still be copied.
  await expect(page.getByText("You'll lose anything you typed but didn't save.")).toBeVisible();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByLabel("Agency name", { exact: true })).toHaveValue("Harbour & Hill");
  await forget(page);
  await page.getByRole("button", { name: "Forget this device" }).click();
  await expectForgotten(page);
  // Another open tab shows nothing any more, not even once somebody opens a link of their own.
  await expectForgotten(second);
  const { link: otherLink } = await invite("--mobile", "61400111222", "--first-name", "Grace");
  await page.goto(otherLink);
  await expect(page.getByRole("button", { name: "Not Grace?" })).toBeVisible();
  await expect(heading(second, "This device no longer has your application")).toBeVisible();
  await forget(page);
  await page.getByRole("button", { name: "Forget this device" }).click();
  await page.goto("/home");
  await expect(heading(page, "Unauthorized Access")).toBeVisible();
  expect(await sql(`SELECT "firstName", status FROM applications WHERE reference = $1`, [reference])).toEqual({
    firstName: "Ada",
    status: "draft",
  });
  await page.goto(link);
  await expect(page.getByText(/We've kept what you saved\./)).toBeVisible();
});

for (const [kind, content] of Object.entries(storageRefusals)) {
  test(`a visit works with storage that ${kind}, and the page says what is not kept`, async ({ page }) => {
    await page.addInitScript({ content });
    const { reference } = await openAt(page, 0);
    // While the landing page is read, the form is rendered hidden.
    const note = page.getByText("This browser isn't saving anything on this device.").filter({ visible: true });
    await expect(note).toBeVisible();
    await page.getByRole("link", { name: "Get started" }).click();
    await expect(note).toBeVisible();
    await fillAll(page);
    await submit(page);
    await expect(page).toHaveURL("/submit-success");
    await page.getByRole("link", { name: "Print or save your receipt" }).click();
    await expect(heading(page, "Your receipt")).toBeVisible();
    await expect(page.getByText("Harbour & Hill").first()).toBeVisible();
    expect(await sql(`SELECT status FROM applications WHERE reference = $1`, [reference])).toEqual({
      status: "submitted",
    });
    await page.goto("/home");
    await expect(heading(page, "Unauthorized Access")).toBeVisible();
    await expect(page.getByText(/This browser isn't saving anything on this device/)).toBeVisible();
    reportFigure(35, `storage that ${kind}: a link works from end to end, and the page says what is not kept`);
  });
}

test("without cookies the page says how to turn them on", async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(Document.prototype, "cookie", { get: () => "", set: () => {} }));
  await page.goto("/");
  await expect(page).toHaveURL("/un-authorized");
  await expect(heading(page, "Cookies are turned off")).toBeVisible();
  await expect(page.getByText(/Turn on cookies for this site/)).toBeVisible();
});

test("without scripts every page says that JavaScript is turned off", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: process.env.APP_URL });
  const page = await context.newPage();
  const { link } = await invite("--mobile", "61412345678");
  for (const address of [link, "/home", "/un-authorized"]) {
    await page.goto(address);
    // Located by its element, because Playwright does not find text inside a noscript.
    await expect(page.locator("noscript p").first()).toBeVisible();
    expect(await page.locator("noscript p").first().textContent()).toBe("JavaScript is turned off in this browser.");
  }
  await page.goto(link);
  await expect(page.getByRole("link", { name: "Get started" })).toBeVisible();
  await context.close();
});
