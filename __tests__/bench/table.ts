import { median } from "@/__tests__/support/processes/figures";

/** One line of the table in the README. */
export interface Row {
  what: string;
  floor: string;
  /** What is asked for: '≤ 1.08 ×'. */
  limit: string;
  /** What was measured: '1.07 × (144.5 kB, 134.9 kB)'. */
  measured: string;
  /** Lowest and highest of the rounds. */
  spread: string;
  verdict: Verdict;
}

/** `unclear`: the floor, or the figure itself, varied too much in this run to tell anything. */
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

/** The quarter of the rounds on either side of the middle may differ this much before they tell nothing. */
const steadiest = 1.25;

const decimals = (value: number) =>
  value === 0 || value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2);

export function isNoisy(taken: number[]): boolean {
  const sorted = [...taken].sort((one, other) => one - other);
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
  return at(0.75) > at(0.25) * steadiest;
}

/** Ours in multiples of the floor: the median of the rounds' ratios, since what slows a round slows both. */
export function compared({ what, floor, most, least, unit, ours, floors }: Comparison): Row {
  const ratios = ours.map((one, n) => one / (floors[n] ?? Number.NaN));
  const ratio = median(ratios);
  const isKept = ratio <= (most ?? Number.POSITIVE_INFINITY) && ratio >= (least ?? 0);
  return {
    what,
    floor,
    limit: most === undefined ? `≥ ${least} ×` : `≤ ${most} ×`,
    measured: `${ratio.toFixed(2)} × (${decimals(median(ours))} to ${decimals(median(floors))} ${unit})`,
    spread: `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`,
    verdict: isNoisy(floors) || isNoisy(ratios) ? "unclear" : isKept ? "kept" : "missed",
  };
}

interface Bounded {
  what: string;
  floor?: string;
  most: number;
  unit: string;
  ours: number[];
}

/** A figure that has a limit of its own. */
export function bounded({ what, floor = "", most, unit, ours }: Bounded): Row {
  const value = median(ours);
  return {
    what,
    floor,
    limit: most === 0 ? "0" : `≤ ${most} ${unit}`,
    measured: `${decimals(value)} ${unit}`.trim(),
    spread: ours.length > 1 ? `${decimals(Math.min(...ours))}–${decimals(Math.max(...ours))}` : "",
    verdict: value <= most ? "kept" : "missed",
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
