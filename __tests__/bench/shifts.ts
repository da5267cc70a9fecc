import type { Browser, Locator } from "@playwright/test";
import { fillAll, submit } from "@/__tests__/support/fill-in";
import { start } from "./arrivals";
import { onPhone } from "./phone";
import type { Row } from "./table";
import type { World } from "./world";

const widths = [320, 390, 768, 1440];

/** Passes each layout shift on that no input explains (CLS), from every document of the journey. */
function watch() {
  const { shifted } = window as unknown as { shifted(value: number): void };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
      if (!entry.hadRecentInput) shifted(entry.value);
  }).observe({ type: "layout-shift", buffered: true });
}

const byKey = async (field: Locator, answer: string) => {
  if ((await field.getAttribute("type")) === "date") await field.fill(answer);
  else await field.pressSequentially(answer, { delay: 20 });
};

/** The sum of all layout shifts from the link to the receipt, operated by tap and by keyboard. */
async function shiftsOnTheWay(browser: Browser, link: string, width: number): Promise<number> {
  const shifts: number[] = [];
  await onPhone(
    browser,
    async ({ page, slow }) => {
      await page.exposeFunction("shifted", (value: number) => shifts.push(value));
      await page.addInitScript(watch);
      await slow();
      await page.goto(link);
      await page.tap(start);
      await fillAll(page, byKey);
      await submit(page);
      await page.tap('a[href="/receipt"]');
      await page.getByRole("heading", { name: "Your receipt" }).waitFor();
      await page.waitForLoadState("networkidle");
      await page.waitForTimeout(1000);
    },
    width,
  );
  return shifts.reduce((sum, shift) => sum + shift, 0);
}

export async function shifts({ browser, newLink }: World): Promise<Row[]> {
  const taken: number[] = [];
  for (const width of widths) taken.push(await shiftsOnTheWay(browser, await newLink(), width));
  return [
    {
      what: `layout shift from the link to the receipt at ${widths.join(", ")} px (CLS)`,
      floor: "",
      limit: "0",
      // Not rounded: a shift of a thousandth is one.
      measured: taken.join(", "),
      spread: "",
      verdict: taken.every((value) => value === 0) ? "kept" : "missed",
    },
  ];
}
