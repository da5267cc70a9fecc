import type { Browser, Page } from "@playwright/test";

/** 150 ms round trip, 1.6 Mbit/s down, 750 kbit/s up, and a quarter of this machine's processor. */
const line = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };

export interface Phone {
  page: Page;
  /** Throttles the line and the processor. */
  slow(): Promise<void>;
}

/** Opens a page on a phone with an empty cache. */
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
  return use({ page, slow }).finally(() => context.close());
}

/** Milliseconds from the start of the navigation, redirects included, until the element has a size. */
export async function timeUntilVisible({ page }: Phone, url: string, selector: string): Promise<number> {
  await page.addInitScript((selector) => {
    // Looks once per frame.
    const look = () => {
      const isThere = document.querySelector(selector)?.getClientRects().length;
      if (isThere) (window as unknown as { seenAt: number }).seenAt = performance.now();
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, selector);
  await page.goto(url, { waitUntil: "commit" });
  const seen = await page.waitForFunction(() => (window as unknown as { seenAt?: number }).seenAt);
  return (await seen.jsonValue()) ?? 0;
}

/** Milliseconds from a touch of one element until another has a size, in the same document. */
export async function timeFromTouchUntilVisible({ page }: Phone, touched: string, selector: string): Promise<number> {
  const taken = await page.evaluateHandle(
    (selector) => ({
      promise: new Promise<number>((resolve) => {
        let touchedAt = 0;
        const note = ({ timeStamp }: Event) => (touchedAt = timeStamp);
        document.addEventListener("touchstart", note, { capture: true, once: true });
        const look = () => {
          const isThere = touchedAt > 0 && document.querySelector(selector)?.getClientRects().length;
          if (isThere) resolve(performance.now() - touchedAt);
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      }),
    }),
    selector,
  );
  await page.tap(touched);
  return taken.evaluate(({ promise }) => promise);
}
