import { expect, type Route } from "@playwright/test";
import { heading, next, submit } from "@/__tests__/support/fill-in";
import { test } from "@/__tests__/support/journey";
import { invitedAtStage, openAt, storageRefusals } from "@/__tests__/support/stages";
import { expectConfirmation, openReview, reviews } from "@/__tests__/support/submission";

const badGateway = { status: 502, contentType: "text/html", body: "<h1>502 Bad Gateway</h1>" };
const away = { killed: (route: Route) => route.abort(), "a proxy's 502": (route: Route) => route.fulfill(badGateway) };

for (const [n, review] of reviews.entries()) {
  const [way = "", answer = away.killed] = Object.entries(away)[n % 2] ?? [];
  test(`a submission at ${review.name} is confirmed if every answer after it is ${way}`, async ({ page, context }) => {
    const { link } = await invitedAtStage(3);
    await openReview(page, link, review);
    await page.evaluate(() => {
      const seen: string[] = [];
      Object.assign(window, { seen });
      new MutationObserver(() => seen.push(document.querySelector("main")?.textContent ?? "")).observe(document.body, {
        childList: true,
        subtree: true,
      });
    });
    await page.route("**/submit-final", async (route) => {
      const response = await route.fetch();
      await context.route("**", answer);
      await route.fulfill({ response });
    });
    await submit(page);
    await expect(heading(page, "Your application has been submitted!")).toBeFocused();
    await expectConfirmation(page);
    const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen.join("\n"));
    expect(seen).not.toMatch(/Loading form data|something went wrong/);
    await context.unroute("**");
    await page.unrouteAll();
    await page.getByRole("link", { name: "Print or save your receipt" }).click();
    await expect(heading(page, "Your receipt")).toBeVisible();
    await expect(page).toHaveURL("/receipt");
    await page.getByRole("link", { name: "Back to your application" }).click();
    await expect(heading(page, "Your application has been submitted!")).toBeFocused();
    if (!review.hasStorage) return;
    await page.goto("/receipt");
    await expect(heading(page, "Your receipt")).toBeVisible();
    await page.reload();
    await expect(heading(page, "Your receipt")).toBeVisible();
  });
}

test("/review&submit opens a step and returns from it without a page from the server", async ({ page, context }) => {
  await page.addInitScript({ content: storageRefusals["takes nothing"] });
  const { link } = await invitedAtStage(3);
  await openReview(page, link, { path: "/review&submit", hasStorage: true, name: "" });
  await context.route(/^(?!.*\/api\/)/, (route) => route.abort());
  await page.getByRole("link", { name: "Change agent details" }).click();
  await expect(page.getByLabel("Agency name", { exact: true })).toBeFocused();
  await page.getByLabel("Agency name", { exact: true }).fill("Harbour & Hill");
  await next(page);
  await expect(heading(page, "Review Your Application")).toBeFocused();
  await expect(page.getByText("Harbour & Hill", { exact: true })).toBeVisible();
  await page.goBack();
  await expect(heading(page, "Agency Details")).toBeVisible();
});

test("the receipt of an earlier submission opens from the landing, and leads back to the status", async ({ page }) => {
  await openAt(page, "submitted");
  await page.getByRole("link", { name: "Print or save your receipt" }).click();
  await expect(heading(page, "Your receipt")).toBeVisible();
  await page.getByRole("link", { name: "Back to your application" }).click();
  await expect(page).toHaveURL("/submit-success");
  await expect(heading(page, "Your application has been submitted!")).toBeFocused();
});
