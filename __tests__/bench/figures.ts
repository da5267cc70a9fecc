import { median, quantile } from "@/__tests__/support/processes/figures";

/** A line of the table: a figure beside its baseline, which was measured in the same run. */
export interface Row {
  what: string;
  baseline: string;
  limit: string;
  measured: string;
  /** Lowest and highest of the rounds. */
  spread: string;
  isKept: boolean;
}

/** Takes the measurements in turn, in alternating order: a slow phase of the machine slows all of them. */
export async function rounds<Name extends string>(
  count: number,
  measures: Record<Name, () => Promise<number>>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(measures) as Name[];
  const taken = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, number[]>;
  for (let n = 0; n < count; n += 1)
    for (const name of n % 2 ? [...names].reverse() : names) taken[name].push(await measures[name]());
  return taken;
}

interface Figure {
  what: string;
  baseline?: string;
  most?: number;
  least?: number;
  unit: string;
  ours: number[];
}

const short = (value: number) => (value === 0 || value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2));
const range = (values: number[], written = short) => `${written(Math.min(...values))}–${written(Math.max(...values))}`;
const isKept = (value: number, { most = Number.POSITIVE_INFINITY, least = 0 }: Figure) =>
  value <= most && value >= least;

function limitOf({ most, least }: Figure, unit: string): string {
  if (most === undefined && least === undefined) return "";
  return most === undefined ? `≥ ${least} ${unit}` : `≤ ${most} ${unit}`;
}

/** The median of the rounds' ratios to the baseline. */
export function compared(figure: Figure & { baseline: string; theirs: number[] }): Row {
  const { what, baseline, unit, ours, theirs } = figure;
  const ratios = ours.map((one, n) => one / (theirs[n] ?? Number.NaN));
  const ratio = median(ratios);
  return {
    what,
    baseline,
    limit: limitOf(figure, "×"),
    isKept: isKept(ratio, figure),
    measured: `${ratio.toFixed(2)} × (${short(median(ours))} to ${short(median(theirs))} ${unit})`,
    spread: range(ratios, (value) => value.toFixed(2)),
  };
}

/** The median of the rounds, with an absolute limit or none. */
export function bounded(figure: Figure): Row {
  const { what, baseline = "", unit, ours } = figure;
  const value = median(ours);
  return {
    what,
    baseline,
    limit: limitOf(figure, unit),
    isKept: isKept(value, figure),
    measured: `${short(value)} ${unit}`,
    spread: ours.length > 1 ? range(ours) : "",
  };
}

export const p95 = (values: number[]) => quantile(values, 0.95);
export const p98 = (values: number[]) => quantile(values, 0.98);

export function asMarkdown(rows: Row[]): string {
  const lines = rows.map(({ what, baseline, limit, measured, spread, isKept }) =>
    [what, baseline, limit, measured, spread, isKept ? "" : "**missed**"].join(" | "),
  );
  return [
    `what | baseline in the same run | limit | measured | rounds | `,
    "--- | --- | --- | --- | --- | ---",
    ...lines,
  ]
    .map((line) => `| ${line} |`)
    .join("\n");
}
