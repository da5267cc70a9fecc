import { appendFileSync } from "node:fs";

/** `npm run test:promises` runs some tests of `npm test` at full size, and names a file for their figures. */
const figures = process.env.FULL_SIZE_FIGURES;

export const size = (small: number, full: number) => (figures ? full : small);

/** Reports what a promise measured. */
export function reportFigure(promise: number, figure: string): void {
  if (figures) appendFileSync(figures, `${JSON.stringify({ promise, figure })}\n`);
}
