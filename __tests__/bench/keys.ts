import type { Browser } from "@playwright/test";
import { fillStep, heading, next } from "@/__tests__/support/fill-in";
import { quantile } from "@/__tests__/support/processes/figures";
import { steps } from "@/lib/domain/journey";
import { type Figure, rounds } from "./figures";
import { start } from "./pages";
import { onPhone, type Phone } from "./phone";
import type { Bench } from "./world";

const amount = "1234.50";
const keySequence = [...amount, ...Array(amount.length).fill("Backspace")];
const keysOfRound = 200;
/** Faster than people type on a phone (about 300 ms), and slow enough that no key waits for the previous one. */
const pauseMs = 120;
/** The shortest event, in milliseconds, that the browser reports. */
const shortest = 16;

/** Records the duration of each key as a person perceives it: until the next frame (Event Timing). */
function watch(shortestMs: number) {
  const keys = new Map<number, number>();
  (window as unknown as { keys: typeof keys }).keys = keys;
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries() as (PerformanceEntry & { interactionId: number })[])
      if (interactionId) keys.set(interactionId, Math.max(duration, keys.get(interactionId) ?? 0));
  }).observe({ type: "event", durationThreshold: shortestMs, buffered: false } as PerformanceObserverInit);
}

/** Types an amount at a quarter of the processor's speed. Returns the p98 of its interactions in milliseconds. */
async function interactions({ page, slow }: Phone, selector: string): Promise<number> {
  await slow();
  await page.evaluate(watch, shortest);
  await page.locator(selector).fill("");
  await page.locator(selector).focus();
  for (let n = 0; n < keysOfRound; n += 1) {
    await page.keyboard.press(keySequence[n % keySequence.length] as string);
    await page.waitForTimeout(pauseMs);
  }
  await page.waitForTimeout(500);
  const durations = await page.evaluate(() => [...(window as unknown as { keys: Map<number, number> }).keys.values()]);
  const unreported = Array(Math.max(0, keysOfRound - durations.length)).fill(shortest / 2);
  return quantile([...durations, ...unreported], 0.98);
}

const inProduct = (browser: Browser, link: string) =>
  onPhone(browser, async (phone) => {
    const { page } = phone;
    await page.goto(link);
    await page.tap(start);
    for (const step of [1, 2] as const) {
      await fillStep(page, step);
      await next(page);
    }
    await heading(page, steps[3].heading).waitFor();
    await page.waitForLoadState("networkidle");
    return interactions(phone, '[name="currentRent"]');
  });

const inPlainFormik = (browser: Browser, url: string) =>
  onPhone(browser, async (phone) => {
    await phone.page.goto(`${url}/form`, { waitUntil: "networkidle" });
    return interactions(phone, "#currentRent");
  });

export async function keys({ browser, baseline, newLink }: Bench): Promise<Figure[]> {
  const { ours, theirs } = await rounds(3, {
    ours: async () => inProduct(browser, await newLink()),
    theirs: () => inPlainFormik(browser, baseline.url),
  });
  const what = "INP p98 of an amount's keys in step 3, a quarter of the processor";
  return [
    { what, most: 80, unit: "ms", ours },
    { what: "the same", baseline: "a plain Formik form", most: 1.25, unit: "ms", ours, theirs },
  ];
}
