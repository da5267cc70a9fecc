import { median } from "@/__tests__/support/processes/figures";

/** One row of the table in docs/measurements.md. */
export interface Row {
  what: string;
  floor: string;
  /** The limit: '≤ 1.08 ×'. */
  limit: string;
  /** The result: '1.07 × (144.5 to 134.9 kB)'. */
  measured: string;
  /** Lowest and highest of the rounds. */
  spread: string;
  verdict: Verdict;
}

/** `unclear`: the rounds vary too much to tell on which side of the limit the figure is. */
export type Verdict = "kept" | "missed" | "unclear";

interface Comparison {
  what: string;
  floor: string;
  most?: number;
  least?: number;
  unit: string;
  ours: number[];
  floors: number[];
}

/** Rounds are noisy when their upper quartile exceeds the lower one by more than this factor. */
const steadiest = 1.25;

const decimals = (value: number) =>
  value === 0 || value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2);

/** The lower and the upper quartile. */
function quartiles(taken: number[]): [number, number] {
  const sorted = [...taken].sort((one, other) => one - other);
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
  return [at(0.25), at(0.75)];
}

function isNoisy(taken: number[]): boolean {
  const [low, high] = quartiles(taken);
  return high > low * steadiest;
}

/** Noisy rounds still give a verdict if both quartiles are on the same side of the limit. */
function verdictOf(taken: number[], keeps: (value: number) => boolean, floors: number[] = []): Verdict {
  const [low, high] = quartiles(taken).map(keeps);
  if (low !== high && (isNoisy(taken) || isNoisy(floors))) return "unclear";
  return keeps(median(taken)) ? "kept" : "missed";
}

/** The median of the rounds' ratios to the floor: what slows a round slows both sides of its ratio. */
export function compared({ what, floor, most, least, unit, ours, floors }: Comparison): Row {
  const ratios = ours.map((one, n) => one / (floors[n] ?? Number.NaN));
  const ratio = median(ratios);
  const keeps = (value: number) => value <= (most ?? Number.POSITIVE_INFINITY) && value >= (least ?? 0);
  return {
    what,
    floor,
    limit: most === undefined ? `≥ ${least} ×` : `≤ ${most} ×`,
    measured: `${ratio.toFixed(2)} × (${decimals(median(ours))} to ${decimals(median(floors))} ${unit})`,
    spread: `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`,
    verdict: verdictOf(ratios, keeps, floors),
  };
}

interface Bounded {
  what: string;
  floor?: string;
  most: number;
  unit: string;
  ours: number[];
}

/** A figure with an absolute limit. */
export function bounded({ what, floor = "", most, unit, ours }: Bounded): Row {
  const value = median(ours);
  return {
    what,
    floor,
    limit: most === 0 ? "0" : `≤ ${most} ${unit}`,
    measured: `${decimals(value)} ${unit}`.trim(),
    spread: ours.length > 1 ? `${decimals(Math.min(...ours))}–${decimals(Math.max(...ours))}` : "",
    verdict: verdictOf(ours, (one) => one <= most),
  };
}

const said = { kept: "", missed: "**missed**", unclear: "too noisy to tell" };

export function asMarkdown(rows: Row[]): string {
  const lines = rows.map(({ what, floor, limit, measured, spread, verdict }) => [
    what,
    floor,
    limit,
    measured,
    spread,
    said[verdict],
  ]);
  const head = [["what", "floor in the same run", "asked", "measured", "rounds", ""], Array(6).fill("---")];
  return [...head, ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
