import { expect, type Locator, type Page } from "@playwright/test";
import { field, fillStep, heading, next } from "@/__tests__/support/fill-in";
import { invite, test } from "@/__tests__/support/journey";
import { tabTo } from "@/__tests__/support/keyboard";
import { openAt } from "@/__tests__/support/stages";
import { answerSteps, steps } from "@/lib/domain/journey";

/**
 * The keystroke-level model of Card, Moran and Newell (1980), in seconds: a key of an average typist, pointing at a target and
 * pressing it, and mental preparation for the next move. The test measures the system's own response time.
 */
const key = 0.28;
const tap = 1.1 + 0.1;
const think = 1.35;
const mostSeconds = 60;
const mostTaps = 12;
const mostFields = 3;

const everything = [
  ...["--mobile", "61412345678", "--agent-mobile", "61298765432", "--first-name", "Ada", "--last-name", "Byron"],
  ...["--email", "ada@example.com", "--property-address", "1 Wattle Lane, Sydney NSW 2000", "--quote", "2450"],
  ...["--agency-name", "Harbour Homes", "--agent-first-name", "Grace", "--agent-last-name", "Hopper"],
  ...["--agent-email", "grace@harbour.example.com"],
];

/** Acts at once, and adds up the time that the model's person would take. */
class Person {
  taps = 0;
  fields = 0;
  private modelled = 0;
  private readonly started = Date.now();

  async tap(target: Locator): Promise<void> {
    await target.tap();
    this.modelled += think + tap;
    this.taps += 1;
  }

  /** Taps into the field and types. A date picker takes one more tap, which closes it. */
  async fill(field: Locator, text: string): Promise<void> {
    await this.tap(field);
    const isDate = (await field.getAttribute("type")) === "date";
    await field.fill(text);
    this.modelled += text.length * key + (isDate ? tap : 0);
    this.taps += isDate ? 1 : 0;
    this.fields += 1;
  }

  get seconds(): number {
    return (Date.now() - this.started) / 1000 + this.modelled;
  }
}

/** Counts the page's links and controls. Lists those placed above, or to the left of, one that is read before them. */
function readingOrder(page: Page) {
  return page.evaluate(() => {
    const controls = [
      ...document.querySelectorAll("a[href]:not([href='#main']), button, input:not([type=hidden]), select"),
    ]
      .filter((control) => control.checkVisibility())
      .map((control) => ({ what: control.outerHTML.slice(0, 80), box: control.getBoundingClientRect() }));
    const isBefore = (one: DOMRect, other: DOMRect) =>
      one.bottom <= other.top || (one.top < other.bottom && one.bottom > other.top && one.right <= other.left);
    const outOfOrder = controls.flatMap((later, place) => {
      const earlier = controls.slice(0, place).find(({ box }) => isBefore(later.box, box));
      return earlier ? [`${later.what} is read after ${earlier.what}`] : [];
    });
    return { count: controls.length, outOfOrder };
  });
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

test.describe("on the narrowest phone, with a full invitation,", () => {
  test.use({ viewport: { width: 320, height: 640 } });

  test("a landlord fills in three fields, taps at most twelve times and finishes within a minute of the model", async ({
    page,
  }) => {
    const { link } = await invite(...everything);
    const person = new Person();
    // Opening the link in the message is a tap as well.
    person.taps += 1;
    await page.goto(link);
    await person.tap(page.getByRole("link", { name: "Get started" }));
    await expect(heading(page, "Landlord & property details")).toBeVisible();
    await person.tap(button(page, "Next"));
    await expect(heading(page, "Agency Details")).toBeVisible();
    await person.tap(button(page, "Next"));
    await expect(heading(page, "Lease & funds")).toBeVisible();
    await person.fill(field(page, "Lease start date"), "2026-03-01");
    await person.fill(field(page, "Lease end date"), "2027-02-28");
    await person.fill(field(page, "Current weekly rent"), "650");
    await person.tap(button(page, "Next"));
    await expect(heading(page, "Review your application")).toBeVisible();
    await person.tap(button(page, "Submit Application"));
    await expect(heading(page, "Your application has been submitted!")).toBeVisible();
    const { fields, taps, seconds } = person;
    console.log(`With a full invitation: ${fields} fields, ${taps} taps, ${seconds.toFixed(1)} s`);
    expect(fields).toBeLessThanOrEqual(mostFields);
    expect(taps).toBeLessThanOrEqual(mostTaps);
    expect(seconds).toBeLessThanOrEqual(mostSeconds);
  });

  test("a landlord finishes by keyboard alone within a minute of the model", async ({ page }) => {
    const { link } = await invite(...everything);
    let keys = 0;
    let moves = 0;
    const press = async (name: string) => {
      await page.keyboard.press(name);
      keys += 1;
    };
    const go = async (target: Locator) => {
      // Each Tab stop counts as a key, but the way to the target takes only one mental preparation.
      moves += 1;
      keys += await tabTo(page, target);
    };
    const started = Date.now();
    await page.goto(link);
    await go(page.getByRole("link", { name: "Get started" }));
    await press("Enter");
    for (const name of ["Landlord & property details", "Agency Details"]) {
      await expect(heading(page, name)).toBeVisible();
      await go(button(page, "Next"));
      await press("Enter");
    }
    await expect(heading(page, "Lease & funds")).toBeVisible();
    const typed = { "Lease start date": "01032026", "Lease end date": "28022027", "Current weekly rent": "650" };
    for (const [name, text] of Object.entries(typed)) {
      await go(field(page, name));
      await page.keyboard.type(text);
      keys += text.length;
    }
    // Enter in a field saves the step.
    await press("Enter");
    await expect(heading(page, "Review your application")).toBeVisible();
    await go(button(page, "Submit Application"));
    await press("Enter");
    await expect(heading(page, "Your application has been submitted!")).toBeVisible();
    const seconds = (Date.now() - started) / 1000 + keys * key + moves * think;
    console.log(`By the keyboard: ${keys} keys, ${seconds.toFixed(1)} s`);
    expect(seconds).toBeLessThanOrEqual(mostSeconds);
  });

  test("the reading order of links and fields matches their visual order", async ({ page }) => {
    await openAt(page, 3, "", ...everything.slice(2));
    for (const [path, title] of [
      ["/landing", "Get pre-approved for flexible property funding"],
      ["/landing?source=ia", "Unlock future rental income today"],
      ...answerSteps.map((step) => [`/home?step=${step}`, steps[step].heading]),
      ["/home", "Review your application"],
      ["/review&submit", "Review Your Application"],
    ] as const) {
      await page.goto(path);
      await expect(heading(page, title)).toBeVisible();
      const { count, outOfOrder } = await readingOrder(page);
      expect(count, path).toBeGreaterThan(5);
      expect(outOfOrder, path).toEqual([]);
      expect(await page.locator("[tabindex]:not([tabindex='-1']):not([tabindex='0'])").count()).toBe(0);
    }
  });
});

/** The names of the fields that were left empty, such as one that its step does not declare. */
const emptyFields = (page: Page) =>
  page
    .locator("main")
    .locator("input:visible, select:visible, textarea:visible")
    .evaluateAll((fields) =>
      (fields as HTMLInputElement[]).filter(({ value, readOnly }) => !value && !readOnly).map(({ name }) => name),
    );

test("with an invitation of a mobile alone, a landlord fills in at most thirteen fields", async ({ page }) => {
  await openAt(page, 0);
  await page.getByRole("link", { name: "Get started" }).click();
  let fields = 0;
  for (const step of answerSteps) {
    await fillStep(page, step, async (input, text) => {
      await input.fill(text);
      fields += 1;
    });
    fields += (await emptyFields(page)).length;
    await next(page);
  }
  await expect(heading(page, "Review your application")).toBeVisible();
  expect(fields).toBeLessThanOrEqual(13);
});

test.describe("on a phone of 390 by 844", () => {
  test("the first question of each step starts in the upper half", async ({ page }) => {
    await openAt(page, 3, "", ...everything.slice(2));
    for (const step of answerSteps) {
      await page.goto(`/home?step=${step}`);
      await expect(button(page, "Next")).toBeVisible();
      const top = await page
        .locator("form label")
        .first()
        .evaluate((label) => label.getBoundingClientRect().top);
      expect([step, top < 844 / 2]).toEqual([step, true]);
    }
  });
});
