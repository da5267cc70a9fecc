import { expect, type Page } from "@playwright/test";
import { test } from "@/__tests__/support/journey";
import { onEveryScreen } from "@/__tests__/support/screens";

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

/** Returns elements that reach beyond the window's width, so that the page would scroll sideways. */
function overflowing(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
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

// One test checks both, because opening the screens takes longer than measuring them.
test("every target is at least 44 pixels each way (WCAG 2.5.5), and no screen has to be scrolled sideways on a narrow phone, zoomed in, or with large text", async ({
  page,
}) => {
  await onEveryScreen(page, async (screen) => {
    expect(await smallTargets(page), `targets on ${screen}`).toEqual([]);
    const usual = page.viewportSize() ?? { width: 390, height: 844 };
    for (const { name, width, height, text } of windows) {
      await page.setViewportSize({ width, height });
      await setTextSize(page, text);
      expect(await overflowing(page), `${screen}, ${name}`).toEqual([]);
    }
    await page.setViewportSize(usual);
  });
});
