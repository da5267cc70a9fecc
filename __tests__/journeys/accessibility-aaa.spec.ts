import { expect, type Page } from "@playwright/test";
import { expectNoViolations, violations } from "@/__tests__/support/axe";
import { heading, next } from "@/__tests__/support/fill-in";
import { test } from "@/__tests__/support/journey";
import { onEveryScreen } from "@/__tests__/support/screens";
import { reportFigure } from "@/__tests__/support/size";
import { openAt } from "@/__tests__/support/stages";

/** Expects a phone number to call, a label of each field, and an error description of each invalid field with a format. */
async function expectHelp(page: Page, screen: string): Promise<void> {
  await expect(page.locator("a[href^='tel:']:visible").first(), screen).toBeVisible();
  const unnamed = await page
    .locator("input:visible, select:visible, textarea:visible")
    .evaluateAll((fields) =>
      fields
        .filter((field) => !field.ariaLabel && !(field as HTMLInputElement).labels?.[0]?.textContent?.trim())
        .map((field) => field.outerHTML),
    );
  expect(unnamed, screen).toEqual([]);
  const expected = ["[type=date]", "[type=email]", "[inputmode=decimal]"];
  const wrong = page.locator(expected.map((kind) => `input${kind}[aria-invalid]:visible`).join());
  for (const field of await wrong.all())
    await expect(field, `${screen}: ${await field.getAttribute("name")}`).toHaveAccessibleDescription(/\w{3}/);
}

/**
 * Returns the element with the focus, whether it is inside the window and not covered, and the width of its focus ring and
 * the ring's contrast to its surroundings. Returns null once the focus has left the page.
 */
function focusStop(page: Page) {
  return page.evaluate(() => {
    const luminance = (color: string) => {
      const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d");
      if (!canvas) throw new Error("There is no canvas");
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map((value) => {
        const share = value / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const focused = document.activeElement;
    if (!focused || focused === document.body) return null;
    const what = focused.outerHTML.slice(0, 80);
    const { top, bottom, left, right } = focused.getBoundingClientRect();
    const isWhole = top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
    const above = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    const isFree =
      above !== null &&
      (focused.contains(above) || above.contains(focused) || focused.id === (above as HTMLLabelElement).htmlFor);
    // The browser draws the ring of the calendar button inside a date input, so that ring is not checked.
    if (focused.matches("[type=date]:not(:focus-visible)")) return { what, isWhole, isFree };
    const ringed = [focused, focused.parentElement].find((box) => box && getComputedStyle(box).outlineStyle !== "none");
    if (!ringed) return { what, isWhole, isFree, ring: { width: 0, contrast: 0 } };
    const { outlineWidth, outlineColor, outlineOffset } = getComputedStyle(ringed);
    let around = Number.parseFloat(outlineOffset) < 0 ? ringed : ringed.parentElement;
    while (around && /, 0\)$|^transparent$/.test(getComputedStyle(around).backgroundColor))
      around = around.parentElement;
    const tones = [outlineColor, around ? getComputedStyle(around).backgroundColor : "white"].map(luminance);
    const [darker = 0, lighter = 0] = tones.sort((a, b) => a - b);
    const contrast = (lighter + 0.05) / (darker + 0.05);
    return { what, isWhole, isFree, ring: { width: Number.parseFloat(outlineWidth), contrast } };
  });
}

/** Tabs through the screen and checks each stop. Returns the number of focus rings that were checked. */
async function expectFocusSeen(page: Page, screen: string): Promise<number> {
  let rings = 0;
  for (let stops = 0; stops < 60; stops += 1) {
    await page.keyboard.press("Tab");
    const stop = await focusStop(page);
    if (stop === null) break;
    const { what, isWhole, isFree, ring } = stop;
    const at = `${screen}: ${what}`;
    expect({ isWhole, isFree }, `${at} is not hidden (WCAG 2.4.12)`).toEqual({ isWhole: true, isFree: true });
    if (!ring) continue;
    rings += 1;
    expect(ring.width, `${at} has a ring of 2 px (WCAG 2.4.13)`).toBeGreaterThanOrEqual(2);
    expect(ring.contrast, `${at} has a ring that stands out (WCAG 2.4.13)`).toBeGreaterThanOrEqual(3);
  }
  return rings;
}

/** Returns targets smaller than 44 × 44 pixels. Links within a sentence are exempt (WCAG 2.5.8). */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const least = 44;
    const targets = [...document.querySelectorAll<HTMLElement>("a[href], button, input:not([type=hidden]), select")];
    return targets.flatMap((target) => {
      const isSkipLink = target.getAttribute("href") === "#main";
      const isInSentence = target.parentElement?.tagName === "P" && getComputedStyle(target).display === "inline";
      if (isSkipLink || isInSentence || !target.checkVisibility()) return [];
      // The target of a checkbox or radio button is its whole row, which its label covers.
      const holder = target.matches("[type=checkbox], [type=radio]") ? target.parentElement : target;
      const { width, height } = (holder ?? target).getBoundingClientRect();
      const isSmall = width < least - 0.5 || height < least - 0.5;
      return isSmall ? [`${Math.round(width)} × ${Math.round(height)}: ${target.outerHTML.slice(0, 120)}`] : [];
    });
  });
}

/** Returns elements that reach beyond the window's width, so that the page would scroll sideways, or that a figure cuts off. */
function overflowing(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    const isCutOff = (element: Element) =>
      element.getBoundingClientRect().right > (element.closest("figure")?.getBoundingClientRect().right ?? 0);
    const cutOff = [...document.querySelectorAll("figure *")].filter(isCutOff);
    if (scrollWidth <= clientWidth) return cutOff.map((element) => element.outerHTML.slice(0, 120));
    const wide = [...document.body.querySelectorAll("*")].filter(
      (element) => element.getBoundingClientRect().right > clientWidth + 1,
    );
    return [`${scrollWidth} wide`, ...wide.slice(0, 3).map((element) => element.outerHTML.slice(0, 120))];
  });
}

const windows = [
  { name: "320 pixels wide", width: 320, height: 640, text: "100%" },
  { name: "at 400 % zoom", width: 320, height: 256, text: "100%" },
  { name: "with text twice the size", width: 390, height: 844, text: "200%" },
  { name: "320 pixels wide with text twice the size", width: 320, height: 640, text: "200%" },
];

function setTextSize(page: Page, text: string): Promise<void> {
  return page.evaluate((size) => {
    document.documentElement.style.fontSize = size;
  }, text);
}

/** Expects that the screen does not have to be scrolled sideways in any of the windows. */
async function expectNoSidewaysScroll(page: Page, screen: string): Promise<void> {
  const usual = page.viewportSize() ?? { width: 390, height: 844 };
  for (const { name, width, height, text } of windows) {
    await page.setViewportSize({ width, height });
    await setTextSize(page, text);
    expect(await overflowing(page), `${screen}, ${name}`).toEqual([]);
  }
  await page.setViewportSize(usual);
}

// One test checks all criteria, because opening the screens takes longer than checking them.
test("no screen has an axe violation, and on a phone every one meets WCAG AAA for contrast (1.4.6), focus (2.4.12, 2.4.13), target size (2.5.5) and help (3.3.5), and fits small windows and large text @desktop", async ({
  page,
  isMobile,
}) => {
  test.setTimeout(400_000);
  await page.emulateMedia({ reducedMotion: "reduce" });
  let [rings, screens] = [0, 0];
  await onEveryScreen(page, async (screen) => {
    await expectNoViolations(page, screen);
    screens += 1;
    if (!isMobile) return;
    const pale = await violations(page, ["color-contrast-enhanced"]);
    expect(pale, `the contrast of text on ${screen} (WCAG 1.4.6)`).toEqual([]);
    await expectHelp(page, `the help on ${screen} (WCAG 3.3.5)`);
    expect(await smallTargets(page), `targets on ${screen}`).toEqual([]);
    rings += await expectFocusSeen(page, screen);
    await expectNoSidewaysScroll(page, screen);
  });
  if (isMobile) expect(rings).toBeGreaterThan(100);
  // Browsers log a violation of the Content-Security-Policy as an error, and any error fails a journey.
  reportFigure(
    20,
    `${screens} screens, from the landing page to each decision, 404 among them: 0 errors in the console`,
  );
});

test("typed text is kept for a day, in an open page and after a reload (WCAG 2.2.6)", async ({ page }) => {
  await page.clock.install();
  await openAt(page, 1, "/home");
  await expect(heading(page, "Agency Details")).toBeVisible();
  const agency = page.getByLabel("Agency name", { exact: true });
  await agency.fill("Harbour & Hill");
  await page.clock.fastForward("25:00:00");
  await expect(agency).toHaveValue("Harbour & Hill");
  await page.reload();
  await expect(agency).toHaveValue("Harbour & Hill");
});

test("every step can be opened from the review, is checked again, and returns to it (WCAG 3.3.6)", async ({ page }) => {
  await openAt(page, 3);
  for (const [change, shown] of [
    ["Change Landlord & property", "Landlord & property details"],
    ["Change Agent details", "Agency Details"],
    ["Change Lease & funds", "Lease & funds"],
  ] as const) {
    await page.goto("/home");
    await page.getByRole("link", { name: change }).click();
    await expect(heading(page, shown)).toBeVisible();
    const field = page.locator("main input[type=text]:visible, main input[inputmode=decimal]:visible").first();
    const before = await field.inputValue();
    await field.fill("");
    await next(page);
    // The answers are checked, so Next does not leave the step.
    await expect(heading(page, "There is a problem")).toBeVisible();
    await field.fill(before);
    await next(page);
    await expect(heading(page, "Review your application")).toBeVisible();
  }
});

test("the picture of the offer covers no text", async ({ page }) => {
  await openAt(page, 0, "/", "--source", "ba");
  const offer = page.getByRole("figure");
  await expect(offer).toBeVisible();
  for (const { width, text } of [...windows, { width: 768, text: "100%" }]) {
    await page.setViewportSize({ width, height: 844 });
    await setTextSize(page, text);
    const covered = await offer.evaluate((figure) => {
      const picture = figure.querySelector("svg")?.getBoundingClientRect() ?? new DOMRect();
      return [...figure.querySelectorAll("p")].flatMap((words) => {
        const range = document.createRange();
        range.selectNodeContents(words);
        const isCovered = [...range.getClientRects()].some(
          ({ right, top }) => right > picture.left && top < picture.bottom && top > picture.top - 4,
        );
        return isCovered ? words.textContent : [];
      });
    });
    expect(covered, `${width} pixels wide, text at ${text}`).toEqual([]);
  }
});

test("an error of two lines in the summary is set apart from the next one", async ({ page }) => {
  await openAt(page, 1, "/home");
  await page.setViewportSize({ width: 320, height: 640 });
  await setTextSize(page, "200%");
  await next(page);
  const summary = page.getByRole("alert", { name: "There is a problem" });
  await expect(summary).toBeFocused();
  const gaps = await summary.evaluate((box) => {
    const lines = [...box.querySelectorAll("a > span")].map((link) => {
      const range = document.createRange();
      range.selectNodeContents(link);
      return [...range.getClientRects()];
    });
    const between = (above?: DOMRect, below?: DOMRect) => (below?.top ?? 0) - (above?.bottom ?? 0);
    return lines.slice(1).map((below, index) => {
      const above = lines[index] ?? [];
      return between(above.at(-1), below[0]) - between(below[0], below[1]);
    });
  });
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(8);
});

/** Returns words that break in the middle because their column is too narrow. An address or a number may break. */
function brokenWords(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const texts = document.createTreeWalker(document.querySelector("main") ?? document.body, NodeFilter.SHOW_TEXT);
    const broken: string[] = [];
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      for (const { 0: word, index } of (text.textContent ?? "").matchAll(/(?<!\S)[a-z']+[.,:!?]?(?!\S)/gi)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(word);
      }
    }
    return broken;
  });
}

/** Returns the date fields whose text takes more than their width. The 24 pixels before Chromium's icon may shrink. */
function cutDates(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLInputElement>("input[type=date]")].flatMap((input) => {
      const { width } = input.getBoundingClientRect();
      input.style.cssText = "flex: none; width: max-content";
      const whole = input.getBoundingClientRect().width - 24;
      input.style.cssText = "";
      return whole > width ? [`${input.name}: ${whole} in ${width}`] : [];
    }),
  );
}

test("on a narrow phone with large text, no word breaks and no date is cut off", async ({ page }) => {
  await openAt(page, 2, "/");
  await page.setViewportSize({ width: 320, height: 640 });
  await setTextSize(page, "200%");
  expect(await brokenWords(page), "the landing").toEqual([]);
  await page.goto("/home");
  await page.getByLabel("Current weekly rent").fill("300");
  await page.reload();
  await expect(page.getByText("We kept what you typed on this device.")).toBeVisible();
  await setTextSize(page, "200%");
  expect(await brokenWords(page), "the notice on step 3").toEqual([]);
  expect(await cutDates(page)).toEqual([]);
});
