import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const standards = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Expects no violation of WCAG 2.2 AA or of axe's best practices. */
export async function expectNoViolations(page: Page, screen: string): Promise<void> {
  // During a fade-in, contrast is lower than in the end.
  await page.evaluate(() => {
    const ending = document.getAnimations().filter((one) => one.effect?.getComputedTiming().endTime !== Infinity);
    return Promise.allSettled(ending.map((one) => one.finished)).then(() => null);
  });
  const { violations } = await new AxeBuilder({ page }).withTags(standards).analyze();
  const told = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  );
  expect(told, `axe on ${screen}`).toEqual([]);
}
