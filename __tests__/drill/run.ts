import { createWorld, type World } from "@/__tests__/promises/support/world";
import { endEveryApp } from "@/__tests__/support/processes/app";
import { requireBuild } from "@/__tests__/support/processes/build";
import { endWhenCutOff } from "@/__tests__/support/processes/end-when-cut-off";
import { drillAlerts } from "./alerts";
import { day } from "./day";
import { deploy } from "./deployed";
import { drillFailover } from "./failover";

/** Plays a day in operations against the running product, and says what was lost. */
async function dayInOperations(): Promise<void> {
  const begun = performance.now();
  requireBuild();
  const place = await deploy();
  const lost: string[] = [];
  const known = new Set<string>();
  const seconds = (since: number) => `${Math.round((performance.now() - since) / 1000)} s`.padStart(5);
  console.log(`${seconds(begun)}  deploy: ${place.summary}`);
  try {
    for (const [name, act] of Object.entries(day)) {
      const since = performance.now();
      const done = await act(place).catch((error: Error) => {
        lost.push(`${name} failed: ${error.name === "Broken" ? error.message : error.stack}`);
        return "FAILED";
      });
      console.log(`${seconds(since)}  ${name}: ${done}`);
      for (const loss of await place.lost().catch(({ message }: Error) => [`The database says: ${message}`])) {
        if (known.has(loss)) continue;
        known.add(loss);
        lost.push(`${loss} (found after '${name}')`);
      }
      if (done === "FAILED") break;
    }
  } finally {
    await place.end();
  }
  console.log(`\n${seconds(begun)}`);
  const shown = lost.slice(0, 20);
  const more = lost.length > shown.length ? [`and ${lost.length - shown.length} more`] : [];
  console.log(lost.length === 0 ? "Lost: nothing" : ["Lost:", ...shown, ...more].join("\n  "));
  process.exit(lost.length === 0 ? 0 : 1);
}

/** Plays something on servers of its own, and says what was seen. */
async function inWorld(play: (world: World) => AsyncGenerator<string>): Promise<void> {
  requireBuild();
  const world = await createWorld();
  endWhenCutOff(world.end);
  try {
    for await (const found of play(world)) console.log(found);
  } finally {
    await world.end();
  }
  process.exit(0);
}

const drills: Record<string, () => Promise<void>> = {
  day: dayInOperations,
  failover: () => inWorld(drillFailover),
  alerts: () => inWorld(drillAlerts),
};
const drill = drills[process.argv[2] ?? "day"];
if (!drill) throw new Error(`There is no such drill. There are: ${Object.keys(drills).join(", ")}.`);

drill().catch((error: Error) => {
  endEveryApp();
  console.error(error.stack);
  process.exit(1);
});
