import { median } from "@/__tests__/support/processes/figures";
import { type Measurement, today } from "@/__tests__/support/processes/measurements";

/** Takes the measurements in turn, in alternating order, so that a slow phase of the machine slows all of them. */
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

/** A figure that is measured in several rounds. `theirs` is the figure of a baseline in the same rounds. */
export interface Figure {
  what: string;
  unit: string;
  ours: number[];
  baseline?: string;
  theirs?: number[];
  /** Limits of the median of the ratios to the baseline; without a baseline, of the median itself. */
  most?: number;
  least?: number;
}

const short = (value: number) => (value === 0 || value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2));
const ratio = (value: number) => value.toFixed(2);

export function measurementOf({ unit, ours, baseline, theirs, most, least }: Figure): Measurement {
  const values = theirs ? ours.map((our, n) => our / (theirs[n] ?? Number.NaN)) : ours;
  const value = median(values);
  const format = theirs ? ratio : short;
  const limit = most === undefined ? least && `≥ ${least}` : `≤ ${most}`;
  return {
    ...(limit && { isKept: value <= (most ?? value) && value >= (least ?? value) }),
    day: today(),
    figure: theirs
      ? `${ratio(value)} × (${short(median(ours))} to ${short(median(theirs))} ${unit})`
      : `${short(value)} ${unit}`,
    ...(limit && { limit: `${limit} ${theirs ? "×" : unit}` }),
    ...(baseline && { baseline }),
    ...(values.length > 1 && { rounds: `${format(Math.min(...values))}–${format(Math.max(...values))}` }),
  };
}
