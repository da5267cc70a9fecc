import { expect, type Locator, type Page } from "@playwright/test";

/** Presses Tab until the target has the focus. Each stop must have a visible focus ring. Returns the number of stops. */
export async function tabTo(page: Page, target: Locator): Promise<number> {
  for (let stops = 1; stops <= 40; stops += 1) {
    await page.keyboard.press("Tab");
    expect(await isFocusSeen(page), "the focus can be seen").toBe(true);
    if (await target.evaluate((element) => element === document.activeElement)) return stops;
  }
  throw new Error(`Tab does not reach ${target}`);
}

/** Whether the focused control, or the box around it, has a ring of at least 2 px. */
function isFocusSeen(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const focused = document.activeElement;
    if (!focused || focused === document.body) return true;
    // The focus is on the calendar button inside the date input, where the browser draws its own ring.
    if (focused.matches("[type=date]:not(:focus-visible)")) return true;
    return [focused, focused.parentElement].some((element) => {
      if (!element) return false;
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
    });
  });
}
