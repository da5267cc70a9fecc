/** The greatest ratio allowed. Linear time gives about 1 and quadratic 16; caches and garbage collection give up to 4. */
const mostRatio = 7;
/** A time below this passes, because nobody would notice how it grows. */
const unnoticedMs = 2;

async function fastest(before: number, run: () => unknown): Promise<number> {
  const begun = performance.now();
  await run();
  return Math.min(before, performance.now() - begun);
}

/**
 * Whether one text of this size takes hardly longer than sixteen texts of the same shape and the same total length. Compares the
 * fastest of several alternating runs, because a busy machine can only make a run slower.
 */
export async function isLinear(
  read: (text: string) => unknown,
  worst: (size: number) => string,
  size = 16_384,
): Promise<boolean> {
  const long = worst(size);
  const part = worst(size / 16);
  const readParts = async () => {
    for (let number = 0; number < 16; number += 1) await read(part);
  };
  let [forLong, forParts] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < 40; round += 1) {
    forLong = await fastest(forLong, () => read(long));
    if (forLong < unnoticedMs) return true;
    forParts = await fastest(forParts, readParts);
    if (round > 3 && forLong <= forParts * mostRatio) return true;
  }
  return false;
}
