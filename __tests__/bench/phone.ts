import type { Browser, Page } from "@playwright/test";

/** 150 ms round trip, 1.6 Mbit/s down, 750 kbit/s up, and a quarter of this machine's processor. */
const line = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };

/** A phone with an empty cache. `slow` throttles its line and its processor. */
export async function onPhone<T>(browser: Browser, use: (phone: Phone) => Promise<T>, width = 390): Promise<T> {
  const viewport = { width, height: 844 };
  const context = await browser.newContext({ viewport, isMobile: width < 1000, hasTouch: true });
  // tsx compiles functions with calls to __name, which does not exist in the page.
  await context.addInitScript({ content: "globalThis.__name = (named) => named" });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  const slow = async () => {
    await devtools.send("Network.enable");
    await devtools.send("Network.emulateNetworkConditions", line);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  };
  return use({ page, devtools, slow }).finally(() => context.close());
}

export interface Phone {
  page: Page;
  devtools: Awaited<ReturnType<ReturnType<Page["context"]>["newCDPSession"]>>;
  slow(): Promise<void>;
}

/** Milliseconds since `timeOrigin` until the element has a size, looked at once per frame. */
function watch(selector: string) {
  const look = () => {
    const isThere = document.querySelector(selector)?.getClientRects().length;
    if (isThere) (window as unknown as { seenAt: number }).seenAt = performance.timeOrigin + performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** By the browser's clock since the epoch. */
async function seenAt(page: Page): Promise<number> {
  const seen = await page.waitForFunction(() => (window as unknown as { seenAt?: number }).seenAt);
  return (await seen.jsonValue()) ?? 0;
}

/** Milliseconds from the start of the navigation, redirects included, until the element is visible. */
export async function untilSeen({ page }: Phone, url: string, selector: string): Promise<number> {
  await page.addInitScript(watch, selector);
  await page.goto(url, { waitUntil: "commit" });
  return (await seenAt(page)) - (await page.evaluate(() => performance.timeOrigin));
}

/** Milliseconds from a touch of one element until another is visible. */
export async function untilSeenAfterTouch({ page, devtools }: Phone, touched: string, selector: string) {
  await page.evaluate((name) => {
    const note = ({ timeStamp }: Event) => sessionStorage.setItem(name, String(performance.timeOrigin + timeStamp));
    document.addEventListener("touchstart", note, { capture: true });
  }, "touchedAt");
  await page.addInitScript(watch, selector);
  // The document stays, with what was seen before.
  await page.evaluate(() => Reflect.deleteProperty(window, "seenAt"));
  await page.evaluate(watch, selector);
  const { x = 0, y = 0, width = 0, height = 0 } = (await page.locator(touched).boundingBox()) ?? {};
  const touchPoints = [{ x: x + width / 2, y: y + height / 2 }];
  await devtools.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints });
  await devtools.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  const seen = await seenAt(page);
  return seen - Number(await page.evaluate(() => sessionStorage.getItem("touchedAt")));
}
