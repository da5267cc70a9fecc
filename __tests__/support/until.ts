import { setTimeout as sleep } from "node:timers/promises";

/** Polls until a condition holds, with a generous time-out. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const begun = Date.now();
  while (!(await holds())) {
    if (Date.now() - begun > 45_000) throw new Error("It did not come about.");
    await sleep(50);
  }
}
