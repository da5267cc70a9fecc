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

/** Event Timing: a press of a key has several events, which last until the next frame. In milliseconds. */
type TraceEvent = { name: string; args: { data?: { interactionId: number; duration: number } } };

/**
 * Types an amount at a quarter of the processor's speed. Returns the p98 of its interactions in milliseconds. The browser's trace
 * has their exact durations. The page itself would get them rounded to 8 ms.
 */
async function interactions(browser: Browser, { page, slow }: Phone, selector: string): Promise<number> {
  await slow();
  await page.locator(selector).fill("");
  await page.locator(selector).focus();
  await browser.startTracing(page, { categories: ["devtools.timeline"] });
  for (let n = 0; n < keysOfRound; n += 1) {
    await page.keyboard.press(keySequence[n % keySequence.length] as string);
    await page.waitForTimeout(pauseMs);
  }
  await page.waitForTimeout(500);
  const { traceEvents }: { traceEvents: TraceEvent[] } = JSON.parse((await browser.stopTracing()).toString());
  const longest = new Map<number, number>();
  for (const { name, args } of traceEvents)
    if (name === "EventTiming" && args.data?.interactionId)
      longest.set(args.data.interactionId, Math.max(args.data.duration, longest.get(args.data.interactionId) ?? 0));
  if (longest.size < keysOfRound) throw new Error(`${longest.size} of ${keysOfRound} keys are in the trace.`);
  return quantile([...longest.values()], 0.98);
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
    return interactions(browser, phone, '[name="currentRent"]');
  });

const inPlainFormik = (browser: Browser, url: string) =>
  onPhone(browser, async (phone) => {
    await phone.page.goto(`${url}/form`, { waitUntil: "networkidle" });
    return interactions(browser, phone, "#currentRent");
  });

export async function keys({ browser, baseline, newLink }: Bench): Promise<Figure[]> {
  const { ours, theirs } = await rounds(3, {
    ours: async () => inProduct(browser, await newLink()),
    theirs: () => inPlainFormik(browser, baseline.url),
  });
  const what = "INP p98 of an amount's keys in step 3, a quarter of the processor";
  const asFormik = "INP p98 of the same keys, against a plain Formik form";
  return [
    { what, most: 80, unit: "ms", ours },
    { what: asFormik, baseline: "a plain Formik form", most: 1.25, unit: "ms", ours, theirs },
  ];
}
