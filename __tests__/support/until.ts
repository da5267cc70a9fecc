import { setTimeout as sleep } from "node:timers/promises";

/** Generous, because a busy machine is slow. Mutation testing waits less for conditions that a mutant never fulfils. */
const mostMs = Number(process.env.TEST_UNTIL_MS ?? 45_000);

/** Polls until a condition holds. Throws an error if it does not hold in time. */
export async function until(holds: () => boolean | Promise<boolean>, limitMs = mostMs): Promise<void> {
  const begun = Date.now();
  while (!(await holds())) {
    if (Date.now() - begun > limitMs) throw new Error(`The condition did not hold within ${limitMs} ms.`);
    await sleep(50);
  }
}
