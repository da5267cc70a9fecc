import type { Browser, Page } from "@playwright/test";

/** 150 ms round trip, 1.6 Mbit/s down, 750 kbit/s up, and a quarter of this machine's processor. */
const network = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};
const slowdown = 4;

/**
 * Records when the element first has a size, checked once per animation frame so that styles are applied.
 * Milliseconds since navigation start, redirects included.
 */
function watch(selector: string) {
  const look = () => {
    const found = document.querySelector(selector);
    if (found?.getClientRects().length) (window as unknown as { seenAt: number }).seenAt = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** A throttled phone with an empty cache. */
export async function newPhone(browser: Browser) {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  });
  // tsx compiles functions with calls to __name, which does not exist in the page.
  await context.addInitScript({ content: "globalThis.__name = (named) => named" });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  return {
    context,
    page,
    devtools,
    async slow() {
      await devtools.send("Network.enable");
      await devtools.send("Network.emulateNetworkConditions", network);
      await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
    },
    async fast() {
      await devtools.send("Network.emulateNetworkConditions", {
        offline: false,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput: -1,
      });
      await devtools.send("Emulation.setCPUThrottlingRate", { rate: 1 });
    },
  };
}

export type Phone = Awaited<ReturnType<typeof newPhone>>;

/** Milliseconds from the start of navigation until the selector is visible. */
export async function untilSeen({ page }: Phone, url: string, selector: string): Promise<number> {
  await page.addInitScript(watch, selector);
  await page.goto(url, { waitUntil: "commit" });
  return seenAt(page);
}

export async function seenAt(page: Page): Promise<number> {
  const seen = await page.waitForFunction(() => (window as unknown as { seenAt?: number }).seenAt, undefined, {
    timeout: 30_000,
  });
  return (await seen.jsonValue()) ?? 0;
}

export async function onPhone<T>(browser: Browser, use: (phone: Phone) => Promise<T>): Promise<T> {
  const phone = await newPhone(browser);
  return use(phone).finally(() => phone.context.close());
}
