import { expect, type Page } from "@playwright/test";
import { finishAnimations } from "@/__tests__/support/axe";
import { fillStep, heading, next } from "@/__tests__/support/fill-in";
import { invite, test } from "@/__tests__/support/journey";
import { openAt } from "@/__tests__/support/stages";

const scripts = "**/_next/static/**/*.js";

// Next logs an error for each script that it could not load.
test.afterEach(({ errors }) => {
  expect(errors.splice(0).filter((text) => !text.startsWith("ChunkLoadError"))).toEqual([]);
});

/** Aborts all further script requests, except for the landing's own. Collects their paths. */
async function refuseFurtherScripts(page: Page): Promise<string[]> {
  const landing = await (await page.request.get("/")).text();
  const refused: string[] = [];
  await page.route(scripts, (route) => {
    const { pathname } = new URL(route.request().url());
    if (landing.includes(pathname)) return route.continue();
    refused.push(pathname);
    return route.abort();
  });
  return refused;
}

test("form scripts that failed to preload on the landing are loaded when the form is opened", async ({ page }) => {
  const { link } = await invite("--mobile", "61412345678");
  const refused = await refuseFurtherScripts(page);
  await page.goto(link);
  // The page loads them ahead once the browser is idle.
  await expect.poll(() => refused.length).toBeGreaterThan(0);
  await page.unroute(scripts);
  await page.getByRole("link", { name: "Get started" }).click();
  await fillStep(page, 1);
});

test("a form whose scripts fail to load reloads once and then offers another try", async ({ page }) => {
  const { link } = await invite("--mobile", "61412345678");
  await refuseFurtherScripts(page);
  await page.goto(link);
  await page.waitForLoadState("networkidle");
  let loads = 0;
  page.on("load", () => loads++);
  await page.getByRole("link", { name: "Get started" }).click();
  // Before the reload, the landing's own document shows the same text.
  await expect.poll(() => loads).toBe(1);
  await expect(page.getByText("Loading form data...")).toBeVisible();
  const again = page.getByRole("link", { name: "try again" });
  await expect(again).toBeHidden();
  await finishAnimations(page);
  await expect(again).toBeVisible();
  expect(loads).toBe(1);
  await page.unroute(scripts);
  await again.click();
  await fillStep(page, 1);
});

test("a page whose scripts all fail to load offers another try", async ({ page }) => {
  await openAt(page, 0);
  await expect(page.getByRole("link", { name: "Get started" })).toBeVisible();
  await page.route(scripts, (route) => route.abort());
  await page.goto("/");
  await expect(heading(page, "Authenticating")).toBeVisible();
  const again = page.getByRole("link", { name: "try again" });
  await expect(again).toBeHidden();
  await finishAnimations(page);
  await expect(again).toBeVisible();
  await page.unroute(scripts);
  await again.click();
  await expect(page.getByRole("link", { name: "Get started" })).toBeVisible();
});

test("pressing start over a slow connection gives feedback at once, and moves nothing on the page", async ({
  page,
}) => {
  const { link } = await invite("--mobile", "61412345678");
  // Neither the prefetch of the form nor the form itself is answered during the test.
  await page.route(/\/home/, () => {});
  const fetchedAhead = page.waitForRequest(/\/home/);
  await page.goto(link);
  await fetchedAhead;
  const start = page.getByRole("link", { name: "Get started" });
  const below = page.getByText("Four short steps.");
  const place = await below.boundingBox();
  // Count turns of the event loop, about 4 ms each, because a clock would measure how busy the machine is.
  const turns = await start.evaluate(async (link: HTMLElement) => {
    const isHeard = () => link.querySelector(".animate-spin") !== null;
    link.click();
    let turns = 0;
    while (!isHeard() && turns < 1000) turns += await new Promise<number>((resolve) => setTimeout(resolve, 1, 1));
    return turns;
  });
  expect(turns).toBeLessThan(12);
  await expect(start.getByRole("status")).toHaveText("Opening your application");
  expect(await below.boundingBox()).toEqual(place);
  await expect(page.getByText("This is taking longer than it should.")).toBeVisible({ timeout: 15_000 });
  expect(await below.boundingBox()).toEqual(place);
});

for (const source of ["ba", "ia"])
  for (const width of [768, 1440])
    test(`what is shown of the landing ${source} stays in its place while the rest arrives, ${width} px wide`, async ({
      browser,
      page,
    }) => {
      const { token } = await invite("--mobile", "61412345678", "--quote", "1234.50");
      const landing = await page.request.get(`/?token=${token}&source=${source}`);
      const html = (await landing.text()).replace(/<script.*?<\/script>/gs, "");
      const context = await browser.newContext({ viewport: { width, height: 900 }, javaScriptEnabled: false });
      const arriving = await context.newPage();
      const placeAfter = async (part: string) => {
        await arriving.route("**/arriving", (route) => route.fulfill({ body: part, contentType: "text/html" }));
        await arriving.goto(new URL("/arriving", landing.url()).href);
        return arriving.getByRole("heading", { level: 1 }).boundingBox();
      };
      const card = html.indexOf("<figure");
      expect(card).toBeGreaterThan(html.indexOf("</h1>"));
      const whole = await placeAfter(html);
      expect(await placeAfter(html.slice(0, card))).toEqual(whole);
      expect(await placeAfter(html.slice(0, card + 1500))).toEqual(whole);
      await context.close();
    });

test("a partial date asks to be finished and keeps the typed digits", async ({ page }) => {
  await openAt(page, 2, "/home");
  const start = page.getByLabel("Lease start date");
  await start.focus();
  await page.keyboard.type("0103");
  await next(page);
  const summary = page.getByRole("alert").filter({ hasText: "There is a problem" });
  const unfinished = "Lease start date isn't complete: enter its day, month and year";
  await expect(summary.getByRole("link", { name: unfinished })).toBeVisible();
  expect(await start.evaluate((input: HTMLInputElement) => input.validity.badInput)).toBe(true);
});
