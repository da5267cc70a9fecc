import { expect, type Page, type Request } from "@playwright/test";
import { fillAll, fillStep, heading, next, submit } from "@/__tests__/support/fill-in";
import { invite, test } from "@/__tests__/support/journey";
import { reportFigure } from "@/__tests__/support/size";
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

test("a returning visitor is authenticated by the stored token, with one call", async ({ page }) => {
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

/** Returns everything in a browser that could still hold the address of a link. */
async function memoryOf(page: Page): Promise<string> {
  const devtools = await page.context().newCDPSession(page);
  const visited = await devtools.send("Page.getNavigationHistory");
  await devtools.detach();
  const inPage = await page.evaluate(() => {
    const entries = performance.getEntries().map((entry) => entry.name);
    return [location.href, document.referrer, history.state, entries, document.cookie];
  });
  return JSON.stringify([visited.entries.map(({ url, title }) => [url, title]), inPage]);
}

test("a link to /home opens /, and its token is in one request and nowhere in the browser's history", async ({
  page,
}) => {
  const { token } = await invite("--mobile", "61412345678");
  const requests: Request[] = [];
  page.on("request", (request) => requests.push(request));
  await page.goto(`/home?token=${token}&source=ba&utm_source=sms`);
  await expect(page).toHaveURL("/?utm_source=sms");
  await expect(heading(page, "Get pre-approved for flexible property funding")).toBeVisible();
  expect(await memoryOf(page)).not.toContain(token);
  await page.getByRole("link", { name: "Start pre-approval" }).click();
  await fillAll(page);
  expect(await memoryOf(page)).not.toContain(token);
  await page.reload();
  await submit(page);
  await expect(page).toHaveURL("/submit-success");
  expect(await memoryOf(page)).not.toContain(token);
  await page.goto("/nowhere");
  expect(await memoryOf(page)).not.toContain(token);
  expect(requests.filter((request) => request.url().includes(token))).toHaveLength(1);
  const sent = await Promise.all(requests.map((request) => request.allHeaders().catch(() => ({}))));
  const referers = sent.flatMap((headers: Record<string, string>) => headers.referer ?? []);
  expect(referers.filter((referer) => referer.includes(token))).toEqual([]);
  const remembered = "no history entry, history.state, performance entry or cookie a script can read";
  const figure = `the token in 1 URL, in 0 of ${referers.length} Referers, in ${remembered}`;
  reportFigure(17, `a whole journey of ${requests.length} requests: ${figure}`);
});

for (const where of ["", ", where nothing is stored"])
  test(`pressing start before the page's scripts have loaded opens the form${where}`, async ({ page }) => {
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

test("an applicant resumes on a second device at the first unsaved step", async ({ page, browser }) => {
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

test("a prefetch in another tab does not consume the source of a link", async ({ page }) => {
  await openAt(page, 0, "", "--source", "ba");
  // A link is redirected and, before its page is requested, an open page in another tab prefetches the next page.
  await page.evaluate(() => fetch("/?source=other", { redirect: "manual" }));
  await page.evaluate(() => fetch("/home", { headers: { rsc: "1" } }));
  await page.goto("/");
  await expect(heading(page, "Unlock future rental income today")).toBeVisible();
});
