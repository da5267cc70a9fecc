import type { Browser, Locator } from "@playwright/test";
import { fillAll } from "@/__tests__/support/fill-in";
import { onPhone, type Phone } from "./phone";
import { rounds } from "./rounds";
import { bounded, compared, type Row } from "./table";
import type { World } from "./world";

const times = 3;
const words = "12 Wattle Lane, Newtown NSW 2042, Australia";

/** Script time of the page so far, in seconds (CDP's ScriptDuration). */
async function scriptTime({ devtools }: Phone): Promise<number> {
  const { metrics } = await devtools.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "ScriptDuration")?.value ?? Number.NaN;
}

/** Milliseconds of script per key at a quick typist's pace, including what runs after a pause. */
async function typedInto(phone: Phone, selector: string): Promise<number> {
  const { page, devtools } = phone;
  await devtools.send("Performance.enable");
  await page.locator(selector).focus();
  await page.keyboard.type("1", { delay: 90 });
  await page.waitForTimeout(600);
  const before = await scriptTime(phone);
  await page.keyboard.type(words, { delay: 90 });
  await page.waitForTimeout(600);
  return ((await scriptTime(phone)) - before) * (1000 / words.length);
}

/** Collects layout shifts and long tasks with PerformanceObserver. */
function watch() {
  const noted = window as unknown as { shifts: number; longTasks: number[] };
  noted.shifts = 0;
  noted.longTasks = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
      if (!entry.hadRecentInput) noted.shifts += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) noted.longTasks.push(startTime);
  }).observe({ type: "longtask", buffered: true });
}

const byKey = async (field: Locator, answer: string) => {
  if ((await field.getAttribute("type")) === "date") await field.fill(answer);
  else await field.pressSequentially(answer, { delay: 50 });
};

/** Cumulative layout shift from the landing through all four steps, operated by tap and by keyboard. */
async function shiftsOnTheWay(browser: Browser, link: string): Promise<number> {
  return onPhone(browser, async (phone) => {
    const { page } = phone;
    await page.addInitScript(watch);
    await phone.slow();
    await page.goto(link);
    await page.tap('main a[href="/home"]');
    await fillAll(page, byKey);
    return page.evaluate(() => (window as unknown as { shifts: number }).shifts);
  });
}

export async function typing({ browser, empty, newLink }: World): Promise<Row[]> {
  const longTasks: number[] = [];
  const inForm = async () => {
    const link = await newLink();
    return onPhone(browser, async (phone) => {
      await phone.page.addInitScript(watch);
      await phone.page.goto(link);
      await phone.page.tap('main a[href="/home"]');
      await phone.page.locator('[name="propertyAddress"]').waitFor();
      await phone.page.waitForLoadState("networkidle");
      await phone.slow();
      const begun = await phone.page.evaluate(() => performance.now());
      const taken = await typedInto(phone, '[name="propertyAddress"]');
      const all = await phone.page.evaluate(() => (window as unknown as { longTasks: number[] }).longTasks);
      longTasks.push(all.filter((at) => at > begun).length);
      return taken;
    });
  };
  const uncontrolled = () =>
    onPhone(browser, async (phone) => {
      await phone.page.goto(`${empty.url}/usable`, { waitUntil: "networkidle" });
      await phone.slow();
      return typedInto(phone, 'input[data-usable="true"]');
    });
  const taken = await rounds(times, { inForm, uncontrolled });
  const shifts = [await shiftsOnTheWay(browser, await newLink())];
  return [
    bounded({ what: "layout shift from the link to the review (CLS)", most: 0, unit: "", ours: shifts }),
    bounded({
      what: `tasks over 50 ms while ${times * words.length} keys are typed, CPU a quarter`,
      most: 0,
      unit: "",
      ours: [longTasks.reduce((sum, count) => sum + count, 0)],
    }),
    compared({
      what: "script for each key typed into step 1",
      floor: "an uncontrolled input",
      most: 1.5,
      unit: "ms",
      ours: taken.inForm,
      floors: taken.uncontrolled,
    }),
  ];
}
