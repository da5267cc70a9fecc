import { setTimeout as sleep } from "node:timers/promises";
import { type Load, startLoad } from "@/__tests__/lab/promises/support/load";
import { on } from "@/__tests__/lab/promises/support/new-server";
import type { World } from "@/__tests__/lab/promises/support/world";
import { median } from "@/__tests__/support/processes/figures";

const settings = { RATE_LIMIT_FACTOR: "1000", LOG_LEVEL: "silent", WORKER: "off" };

/** Starts an app with four applicants who save all the time and change their name each time. */
async function startSaving(database: string, start: World["start"]): Promise<Load> {
  const app = await start({ database, settings });
  return on(database, () => startLoad(app, 4));
}

/** The saves in one database by those in another: the median of 20 rounds. */
export async function compareSaves({ start }: World, one: string, other: string): Promise<number> {
  // Both at once, because the speed of a machine varies over time.
  const loads = [await startSaving(one, start), await startSaving(other, start)];
  // Both processes are slow at first, until their code has been compiled.
  await sleep(15_000);
  const ratios: number[] = [];
  for (let round = 0; round < 20; round += 1) {
    const before = loads.map((load) => load.acknowledged());
    await sleep(3000);
    const [saved = 0, savedInOther = 0] = loads.map((load, index) => load.acknowledged() - (before[index] ?? 0));
    ratios.push(saved / savedInOther);
  }
  await Promise.all(loads.map((load) => load.stop()));
  return median(ratios);
}
