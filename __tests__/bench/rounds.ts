/** Interleaves the measurements round by round, so that a slow phase of the machine affects all of them alike. */
export async function rounds<Name extends string>(
  count: number,
  measures: Record<Name, () => Promise<number>>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(measures) as Name[];
  const taken = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, number[]>;
  for (let n = 0; n < count; n += 1) {
    // Alternates the order, so that none is always measured right after the busiest one.
    for (const name of n % 2 ? [...names].reverse() : names) taken[name].push(await measures[name]());
  }
  return taken;
}
