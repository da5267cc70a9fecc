import { setTimeout as sleep } from "node:timers/promises";

/** Generous, because a busy machine is slow. Mutation testing waits less for conditions that a mutant never fulfils. */
const mostMs = Number(process.env.TEST_UNTIL_MS ?? 45_000);

/** Polls until a condition holds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const begun = Date.now();
  while (!(await holds())) {
    if (Date.now() - begun > mostMs) throw new Error(`The condition did not hold within ${mostMs} ms.`);
    await sleep(50);
  }
}
