import type { Browser } from "@playwright/test";
import { fillStep, heading, next } from "@/__tests__/support/fill-in";
import type { SavedAnswer } from "@/lib/domain/application";
import { type AnswerStep, answerSteps, steps } from "@/lib/domain/journey";
import { start } from "./arrivals";
import { onPhone, type Phone } from "./phone";
import { bounded, compared, type Row } from "./table";
import type { World } from "./world";

const times = 4;

interface Typed {
  name: SavedAnswer;
  step: AnswerStep;
  what: string;
  /** The type of the uncontrolled input that is its floor. */
  type: "text" | "tel" | "date";
  keys: string[];
}

const twice = (text: string) => [...text, ...Array(text.length).fill("Backspace"), ...text];

const fields: Typed[] = [
  { name: "propertyAddress", step: 1, what: "an address", type: "text", keys: [..."12 Wattle Lane, Newtown 2042"] },
  { name: "managerFirstName", step: 2, what: "a name", type: "text", keys: twice("Alexandra") },
  { name: "contactNumber", step: 2, what: "a phone number", type: "tel", keys: twice("0298765432") },
  // Month, day, year, and back to the month.
  {
    name: "leaseStartDate",
    step: 3,
    what: "a date",
    type: "date",
    keys: [..."01022026", "ArrowLeft", "ArrowLeft", ..."03042027", "ArrowLeft", "ArrowLeft", ..."05062028"],
  },
  { name: "currentRent", step: 3, what: "an amount", type: "text", keys: twice("1234.50") },
];

/** Script time of the page so far, in milliseconds (CDP's ScriptDuration). */
async function scriptTime({ devtools }: Phone): Promise<number> {
  const { metrics } = await devtools.send("Performance.getMetrics");
  return (metrics.find(({ name }) => name === "ScriptDuration")?.value ?? Number.NaN) * 1000;
}

/** Milliseconds of script per key at a quick typist's pace, including what runs after a pause. */
async function typedInto(phone: Phone, selector: string, keys: string[]): Promise<number> {
  const { keyboard } = phone.page;
  await phone.page.locator(selector).fill("");
  await phone.page.locator(selector).focus();
  await phone.page.waitForTimeout(600);
  const before = await scriptTime(phone);
  for (const key of keys) {
    await keyboard.press(key);
    await phone.page.waitForTimeout(50);
  }
  await phone.page.waitForTimeout(600);
  return ((await scriptTime(phone)) - before) / keys.length;
}

/** Counts tasks over 50 ms. */
function watch() {
  const noted = window as unknown as { longTasks: number };
  noted.longTasks = 0;
  new PerformanceObserver((list) => {
    noted.longTasks += list.getEntries().length;
  }).observe({ type: "longtask" });
}

interface Round {
  perKey: number[];
  longTasks: number;
}

const inForm = (browser: Browser, link: string): Promise<Round> =>
  onPhone(browser, async (phone) => {
    const { page, devtools } = phone;
    const perKey: number[] = [];
    let longTasks = 0;
    await devtools.send("Performance.enable");
    await page.goto(link);
    await page.tap(start);
    for (const step of answerSteps) {
      await heading(page, steps[step].heading).waitFor();
      await page.waitForLoadState("networkidle");
      await phone.slow();
      await page.evaluate(watch);
      for (const { name, keys } of fields.filter((one) => one.step === step))
        perKey.push(await typedInto(phone, `[name="${name}"]`, keys));
      longTasks += await page.evaluate(() => (window as unknown as { longTasks: number }).longTasks);
      await phone.fast();
      await fillStep(page, step);
      if (step !== answerSteps.at(-1)) await next(page);
    }
    return { perKey, longTasks };
  });

const uncontrolled = (browser: Browser, url: string): Promise<Round> =>
  onPhone(browser, async (phone) => {
    const perKey: number[] = [];
    await phone.devtools.send("Performance.enable");
    await phone.page.goto(`${url}/typed`, { waitUntil: "networkidle" });
    await phone.page.waitForSelector('[data-usable="true"]');
    await phone.slow();
    for (const { type, keys } of fields) perKey.push(await typedInto(phone, `[type="${type}"]`, keys));
    return { perKey, longTasks: 0 };
  });

export async function keys({ browser, empty, newLink }: World): Promise<Row[]> {
  const [ours, floors]: [Round[], Round[]] = [[], []];
  for (let n = 0; n < times; n += 1) {
    ours.push(await inForm(browser, await newLink()));
    floors.push(await uncontrolled(browser, empty.url));
  }
  const pressed = times * fields.reduce((sum, one) => sum + one.keys.length, 0);
  return [
    ...fields.map(({ step, what }, field) =>
      compared({
        unit: "ms",
        what: `script for each key: ${what} in step ${step}`,
        floor: "an uncontrolled input of the same type",
        most: 1.2,
        ours: ours.map(({ perKey }) => perKey[field] ?? Number.NaN),
        floors: floors.map(({ perKey }) => perKey[field] ?? Number.NaN),
      }),
    ),
    bounded({
      what: `tasks over 50 ms while ${pressed} keys are typed, CPU a quarter`,
      most: 0,
      unit: "",
      ours: [ours.reduce((sum, { longTasks }) => sum + longTasks, 0)],
    }),
  ];
}
