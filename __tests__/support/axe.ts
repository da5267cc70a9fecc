import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const standards = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Finishes all finite animations, so that elements that fade in or appear after a delay are shown at once. */
export const finishAnimations = (page: Page) =>
  page.evaluate(() => {
    for (const animation of document.getAnimations())
      if (animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY) animation.finish();
  });

/** Expects no violation of WCAG 2.2 AA or of axe's best practices. */
export async function expectNoViolations(page: Page, screen: string): Promise<void> {
  // During a fade-in, the contrast is lower than at its end.
  await finishAnimations(page);
  const { violations } = await new AxeBuilder({ page }).withTags(standards).analyze();
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  );
  expect(found, `axe on ${screen}`).toEqual([]);
}
