import { expect } from "@playwright/test";
import { fillStep, heading, next } from "@/__tests__/support/fill-in";
import { invite, test } from "@/__tests__/support/journey";
import { openAt } from "@/__tests__/support/stages";

test("a stranger sees the 401 page on every path, unknown ones included", async ({ page }) => {
  const paths = ["/", "/landing", "/home", "/review&submit", "/review%26submit", "/submit-success", "/no/such/page"];
  for (const path of paths) {
    await page.goto(path);
    await expect(page).toHaveURL("/un-authorized");
    await expect(page.getByText("401")).toBeVisible();
    await expect(heading(page, "Unauthorized Access")).toBeVisible();
    await expect(page.getByText("Oops! It looks like you don't have permission to access this page.")).toBeVisible();
  }
});

test("a visitor who comes back is authenticated from what the browser stored", async ({ page }) => {
  await openAt(page, 0, "", "--source", "ba");
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let verifications = 0;
  await page.route("**/verify-token", (route) => {
    verifications += 1;
    return held.then(() => route.continue());
  });
  await page.goto("/home");
  await expect(page.getByText("Authenticating")).toBeVisible();
  await expect(page.getByText("Securing your session...")).toBeVisible();
  answer();
  await fillStep(page, 1);
  // The inline script has sent the verification, and the bundles reuse its answer.
  expect(verifications).toBe(1);
});

test("a link on /home lands on / and leaves nothing of itself in the address or the history", async ({ page }) => {
  const { token } = await invite("--mobile", "61412345678");
  const requested: string[] = [];
  page.on("request", (request) => requested.push(request.url(), request.headers().referer ?? ""));
  await page.goto(`/home?token=${token}&source=ba&utm_source=sms`);
  await expect(page).toHaveURL("/?utm_source=sms");
  await expect(heading(page, "Get pre-approved for flexible property funding")).toBeVisible();
  await page.getByRole("link", { name: "Start pre-approval" }).click();
  await fillStep(page, 1);
  expect(requested.filter((url) => url.includes(token))).toHaveLength(1);
  expect(await page.evaluate(() => JSON.stringify(history.state))).not.toContain(token);
});

for (const where of ["", ", where nothing is stored"])
  test(`a tap on start before the page's scripts have loaded is not lost${where}`, async ({ page }) => {
    if (where) await page.addInitScript(() => Object.defineProperty(window, "localStorage", { get: () => null }));
    const { link } = await invite("--mobile", "61412345678");
    let tapped = () => {};
    const tap = new Promise<void>((resolve) => {
      tapped = resolve;
    });
    await page.route("**/_next/static/**/*.js", (route) => tap.then(() => route.continue()));
    await page.goto(link, { waitUntil: "commit" });
    await page.getByRole("link", { name: "Get started" }).click();
    tapped();
    await fillStep(page, 1);
    await next(page);
    await expect(heading(page, "Agency Details")).toBeVisible();
  });

test("an applicant who resumes on a second device finds the first step still to do", async ({ page, browser }) => {
  const { link } = await openAt(page, 0);
  await page.getByRole("link", { name: "Get started" }).click();
  await fillStep(page, 1);
  await next(page);
  await expect(heading(page, "Agency Details")).toBeVisible();

  const second = await (await browser.newContext({ baseURL: process.env.APP_URL })).newPage();
  await second.goto(link);
  await second.getByRole("link", { name: "Get started" }).click();
  await expect(heading(second, "Agency Details")).toBeVisible();
  await second.getByRole("button", { name: "Back" }).click();
  await expect(second.getByLabel("Full name", { exact: true })).toHaveValue("Alex");
  await second.context().close();
});

test("a prefetch in another tab does not use up the source of a link", async ({ page }) => {
  await openAt(page, 0, "", "--source", "ba");
  // A link is redirected and, before its page is requested, an open page in another tab prefetches the next page.
  await page.evaluate(() => fetch("/?source=other", { redirect: "manual" }));
  await page.evaluate(() => fetch("/home", { headers: { rsc: "1" } }));
  await page.goto("/");
  await expect(heading(page, "Unlock future rental income today")).toBeVisible();
});
