/** Measures each in turn, round after round, so that what the machine does besides falls on all alike. */
export async function rounds<Name extends string>(
  count: number,
  measures: Record<Name, () => Promise<number>>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(measures) as Name[];
  const taken = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, number[]>;
  for (let n = 0; n < count; n += 1) {
    // Every other round the other way about: nobody is always the first on a machine that has just been busy.
    for (const name of n % 2 ? [...names].reverse() : names) taken[name].push(await measures[name]());
  }
  return taken;
}
