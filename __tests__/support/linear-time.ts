/** The size of the worst inputs. */
const worstSize = 16_384;
const parts = 16;

/** Linear is about 1, quadratic 16. Up to four times as much is caches and collections of garbage. */
const most = 4;
/** How a shorter time grows, nobody notices. */
const unnoticedMs = 2;
const mostRounds = 10;

function timed(run: () => unknown): number {
  const begun = performance.now();
  run();
  return performance.now() - begun;
}

/**
 * Whether one text of 16 kB takes hardly longer than sixteen texts of the same shape that are together as long. The least of
 * several runs each, in turns: a busy machine can only make them slower.
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
    if (round > 0 && best.long <= best.short * most) return true;
  }
  return false;
}
