import { appendFileSync } from "node:fs";

/** The file for figures. `npm run test:promises` sets it, and runs some tests of `npm test` at full size. */
const figures = process.env.FULL_SIZE_FIGURES;

export const size = (small: number, full: number) => (figures ? full : small);

/** Reports the figure of a promise. `isKept` is false for an aim that the product misses, while the test itself passes. */
export function reportFigure(promise: number, figure: string, isKept = true): void {
  if (figures) appendFileSync(figures, `${JSON.stringify({ promise, figure, isKept })}\n`);
}
