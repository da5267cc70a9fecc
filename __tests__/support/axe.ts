import { expect, type Page } from "@playwright/test";
import axe from "axe-core";

const standards = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Finishes all finite animations, so that elements that fade in or appear after a delay are shown at once. */
export const finishAnimations = (page: Page) =>
  page.evaluate(() => {
    for (const animation of document.getAnimations())
      if (animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY) animation.finish();
  });

/** Returns the violations of axe's rules that have one of these names or tags. */
export async function violations(page: Page, runOnly: string[]): Promise<string[]> {
  const hasAxe = await page.evaluate(() => "axe" in window);
  if (!hasAxe) await page.evaluate(axe.source);
  // @axe-core/playwright also checks frames, for which it opens a second page each time. The product has no frames.
  return page.evaluate(async (runOnly) => {
    const { axe } = window as unknown as { axe: typeof import("axe-core") };
    const { violations } = await axe.run(document, { runOnly, resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
    );
  }, runOnly);
}

/** Expects no violation of WCAG 2.2 AA or of axe's best practices. */
export async function expectNoViolations(page: Page, screen: string): Promise<void> {
  // During a fade-in, the contrast is lower than at its end.
  await finishAnimations(page);
  expect(await violations(page, standards), `axe on ${screen}`).toEqual([]);
}
