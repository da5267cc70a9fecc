import { AxeBuilder } from "@axe-core/playwright";
import { expect } from "@playwright/test";
import { test } from "@/__tests__/support/journey";
import { onEveryScreen } from "@/__tests__/support/screens";
import { invitedAtStage } from "@/__tests__/support/stages";

test("text has a contrast of 7 to 1, large text of 4.5 to 1 (WCAG 1.4.6)", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await onEveryScreen(page, async (screen) => {
    const { violations } = await new AxeBuilder({ page }).withRules(["color-contrast-enhanced"]).analyze();
    const found = violations.flatMap(({ nodes }) =>
      nodes.map(({ html, failureSummary }) => `${html}\n${failureSummary}`),
    );
    expect(found, screen).toEqual([]);
  });
});

test("what has the focus is seen whole (WCAG 2.4.12)", async ({ page }) => {
  const { link } = await invitedAtStage(3);
  await page.goto(link);
  for (const step of [1, 2, 3, 4]) {
    await page.goto(`/home?step=${step}`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    const seen: string[] = [];
    for (let stops = 0; stops < 60; stops += 1) {
      await page.keyboard.press("Tab");
      const stop = await page.evaluate(() => {
        const focused = document.activeElement;
        if (!focused || focused === document.body) return null;
        const { top, bottom, left, right } = focused.getBoundingClientRect();
        const isWhole = top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
        const above = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        const isFree =
          above !== null &&
          (focused.contains(above) || above.contains(focused) || focused.id === (above as HTMLLabelElement).htmlFor);
        return { what: focused.outerHTML.slice(0, 80), isWhole, isFree };
      });
      if (!stop) break;
      seen.push(stop.what);
      expect({ step, ...stop }).toMatchObject({ isWhole: true, isFree: true });
    }
    expect(seen.length).toBeGreaterThan(5);
  }
});
