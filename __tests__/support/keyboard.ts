import { expect, type Locator, type Page } from "@playwright/test";

/** Goes on with Tab until this has the focus, as somebody without a mouse does; each stop on the way can be seen. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let stops = 0; stops < 40; stops += 1) {
    await page.keyboard.press("Tab");
    expect(await isFocusSeen(page), "the focus can be seen").toBe(true);
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`Tab does not reach ${target}`);
}

/** A ring of two pixels or more, around the control or around the box that holds it. */
function isFocusSeen(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const focused = document.activeElement;
    if (!focused || focused === document.body) return true;
    // On the calendar button inside it, which has the browser's own ring.
    if (focused.matches("[type=date]:not(:focus-visible)")) return true;
    return [focused, focused.parentElement].some((element) => {
      if (!element) return false;
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
    });
  });
}
