import { requireBuild } from "@/__tests__/support/processes/build";
import { endWhenCutOff } from "@/__tests__/support/processes/end-when-cut-off";
import { circumstances, writeMeasurements } from "@/__tests__/support/processes/measurements";
import { arrivals } from "./arrivals";
import { bytes } from "./bytes";
import { calls } from "./calls";
import { keys } from "./keys";
import { large } from "./large";
import { weigh, weightRows } from "./scripts";
import { shifts } from "./shifts";
import { soak } from "./soak";
import { starting } from "./starting";
import { asMarkdown, type Row } from "./table";
import { taps } from "./taps";
import { createWorld, type World } from "./world";

/** Runs the named parts, or all; a full run writes its table into docs/measurements.md. */
const parts: Record<string, (world: World) => Promise<Row[]>> = {
  arrivals,
  taps,
  scripts: async ({ browser, empty, newLink }) => weightRows(await weigh(browser, await newLink(), empty.url)),
  bytes,
  keys,
  shifts,
  calls,
  starting,
  soak,
  large,
};

function noise(rows: Row[]): string {
  const unclear = rows.filter(({ verdict }) => verdict === "unclear").length;
  return unclear === 0
    ? ""
    : `\nThe machine was too noisy to tell ${unclear} of these: they or their floor varied by more than a quarter, on both sides of the limit. Measure again on a quiet one.`;
}

async function main(names: string[]): Promise<void> {
  const begun = performance.now();
  const isAll = names.length === 0;
  requireBuild();
  const world = await createWorld();
  endWhenCutOff(world.end);
  const rows: Row[] = [];
  let told: string;
  try {
    for (const name of isAll ? Object.keys(parts) : names) {
      const measure = parts[name];
      if (!measure) throw new Error(`There is no part '${name}': ${Object.keys(parts).join(", ")}.`);
      console.error(`${name} …`);
      const measured = await measure(world);
      // Told at once: what fails later takes nothing with it.
      console.error(asMarkdown(measured));
      rows.push(...measured);
    }
    told = `${await circumstances(world.browser, world.postgres)}\n\n${asMarkdown(rows)}\n${noise(rows)}`.trimEnd();
  } finally {
    await world.end();
  }
  console.log(`${told}\n\n${Math.round((performance.now() - begun) / 1000)} s`);
  if (isAll) writeMeasurements("bench", told);
  process.exit(0);
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
