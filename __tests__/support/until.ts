import { setTimeout as sleep } from "node:timers/promises";

/** Generous, because a busy machine is slow. Mutation testing waits less for conditions that a mutant never fulfils. */
const mostMs = Number(process.env.TEST_UNTIL_MS ?? 45_000);

/** Polls until a condition holds, and resolves with the milliseconds that it took. Throws an error if it does not hold in time. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  limitMs = mostMs,
  otherwise: string | (() => string) = "the condition did not hold",
  everyMs = 50,
): Promise<number> {
  const begun = performance.now();
  while (!(await holds())) {
    if (performance.now() - begun > limitMs)
      throw new Error(`Within ${limitMs} ms, ${typeof otherwise === "string" ? otherwise : otherwise()}.`);
    await sleep(everyMs);
  }
  return Math.round(performance.now() - begun);
}
