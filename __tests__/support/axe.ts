import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const standards = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Shows at once what fades in, or appears after a while. */
export const finishAnimations = (page: Page) =>
  page.evaluate(() => {
    for (const one of document.getAnimations())
      if (one.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY) one.finish();
  });

/** Expects no violation of WCAG 2.2 AA or of axe's best practices. */
export async function expectNoViolations(page: Page, screen: string): Promise<void> {
  // During a fade-in, contrast is lower than in the end.
  await finishAnimations(page);
  const { violations } = await new AxeBuilder({ page }).withTags(standards).analyze();
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  );
  expect(found, `axe on ${screen}`).toEqual([]);
}
