import { expect, type Page } from "@playwright/test";
import { heading, next } from "@/__tests__/support/fill-in";
import { invite, test } from "@/__tests__/support/journey";
import { startOwnApp } from "@/__tests__/support/own-app";
import { type App, freePort } from "@/__tests__/support/processes/app";
import { openAt } from "@/__tests__/support/stages";

let app: App;
let metrics: string;
test.beforeAll(async () => {
  const port = await freePort();
  metrics = `http://127.0.0.1:${port}/metrics`;
  app = await startOwnApp({ METRICS_PORT: String(port) });
});
test.afterAll(async () => {
  await app.end("SIGTERM");
});

/** When something was first painted, and when each script was requested, in milliseconds since the visit began. */
const timesOf = (page: Page) =>
  page.evaluate(() => ({
    painted: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN,
    scripts: performance.getEntriesByType("resource").map(({ name, startTime }) => ({ name, startTime })),
  }));

/** Puts the page into the background, as switching to another app does. */
async function hide(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { value: "hidden" });
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  });
}

test("a visit is reported once, in one small beacon without personal data, and shows in /metrics", async ({ page }) => {
  // The browser's developer tools do not show the body of a beacon, so the page records it.
  await page.addInitScript(() => {
    const sent: string[] = [];
    const send = navigator.sendBeacon.bind(navigator);
    navigator.sendBeacon = (url, body) => {
      void (body as Blob).text().then((text) => sent.push(text));
      return send(url, body);
    };
    Object.assign(window, { sent });
  });
  const beacons = () => page.evaluate(() => (window as unknown as { sent: string[] }).sent);
  const { token } = await invite("--mobile", "61412345678", "--first-name", "Adalbert");
  const measuring = page.waitForResponse(async (answer) =>
    answer.url().endsWith(".js") ? (await answer.text()).includes("largest-contentful-paint") : false,
  );
  await page.goto(`${app.url}/?token=${token}&source=ba`);
  const script = (await measuring).url();
  const { painted, scripts } = await timesOf(page);
  expect(scripts.find(({ name }) => name === script)?.startTime).toBeGreaterThan(painted);
  await page.getByRole("link", { name: "Start pre-approval" }).tap();
  await expect(heading(page, "Landlord & property details")).toBeVisible();
  await next(page);
  await expect(page.getByText("There is a problem")).toBeVisible();
  // The browser measures a tap only once it has presented the frame after it.
  await page.evaluate(
    () => new Promise((resolve) => new PerformanceObserver(resolve).observe({ type: "first-input", buffered: true })),
  );
  expect(await beacons()).toEqual([]);
  await hide(page);
  await hide(page);
  await expect(async () => expect(await beacons()).toHaveLength(1)).toPass();
  const [beacon = ""] = await beacons();
  expect(Buffer.byteLength(beacon)).toBeLessThanOrEqual(1024);
  expect(beacon).not.toMatch(new RegExp(`Adalbert|61412345678|${token}`));
  const { source, vitals } = JSON.parse(beacon) as { source: string; vitals: { name: string; page: string }[] };
  expect(source).toBe("ba");
  expect(vitals.map(({ name }) => name).sort()).toEqual(["CLS", "INP", "LCP"]);
  await expect(async () => {
    const text = await (await fetch(metrics)).text();
    expect(text).toContain('rent_advance_largest_contentful_paint_seconds_count{page="/",source="ba"} 1');
    expect(text).toMatch(/rent_advance_interaction_to_next_paint_seconds_count\{page="\/(?:home)?",source="ba"\} 1/);
    expect(text).toMatch(/rent_advance_cumulative_layout_shift_count\{page="\/(?:home)?",source="ba"\} 1/);
  }).toPass();
});

test("without METRICS_PORT nothing is measured", async ({ page }) => {
  const scripts: string[] = [];
  page.on("response", async (answer) => {
    if (answer.url().endsWith(".js")) scripts.push(await answer.text().catch(() => ""));
  });
  await openAt(page, 0);
  await page.waitForLoadState("networkidle");
  await hide(page);
  expect(scripts.length).toBeGreaterThan(0);
  expect(scripts.some((script) => script.includes("sendBeacon"))).toBe(false);
  expect((await page.request.post("/api/vitals", { data: {} })).status()).toBe(404);
});
