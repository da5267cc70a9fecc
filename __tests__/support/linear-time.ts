/** The length of the worst inputs, in characters. */
const worstSize = 16_384;
const parts = 16;

/** The greatest ratio allowed. Linear time gives about 1 and quadratic 16; caches and garbage collection give up to 4. */
const mostRatio = 7;
/** A time below this passes, because nobody would notice how it grows. */
const unnoticedMs = 2;
const mostRounds = 40;

function timed(run: () => unknown): number {
  const begun = performance.now();
  run();
  return performance.now() - begun;
}

/**
 * Whether one text of 16 kB takes hardly longer than sixteen texts of the same shape and the same total length. Compares the
 * fastest of several alternating runs, because a busy machine can only make a run slower.
 */
export function isLinear(read: (text: string) => unknown, worst: (size: number) => string): boolean {
  const long = worst(worstSize);
  const short = worst(worstSize / parts);
  const best = { long: Number.POSITIVE_INFINITY, short: Number.POSITIVE_INFINITY };
  for (let round = 0; round < mostRounds; round += 1) {
    best.long = Math.min(
      best.long,
      timed(() => read(long)),
    );
    if (best.long < unnoticedMs) return true;
    best.short = Math.min(
      best.short,
      timed(() => {
        for (let n = 0; n < parts; n += 1) read(short);
      }),
    );
    if (round > 0 && best.long <= best.short * mostRatio) return true;
  }
  return false;
}
