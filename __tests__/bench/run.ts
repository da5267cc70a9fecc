import { requireBuild } from "@/__tests__/support/processes/build";
import { endWhenCutOff } from "@/__tests__/support/processes/end-when-cut-off";
import { circumstances, writeMeasurements } from "@/__tests__/support/processes/measurements";
import { calls, coldStart, large } from "./calls";
import { asMarkdown, type Row } from "./figures";
import { keys } from "./keys";
import { arrivals, bytes, shifts } from "./pages";
import { createWorld, type World } from "./world";

/** Runs the named parts, or all; a full run writes its table into docs/measurements.md. */
const parts: Record<string, (world: World) => Promise<Row[]>> = {
  arrivals,
  keys,
  bytes,
  shifts,
  calls,
  start: coldStart,
  large,
};

async function main(names: string[]): Promise<void> {
  const unknown = names.find((name) => !parts[name]);
  if (unknown) throw new Error(`There is no part '${unknown}': ${Object.keys(parts).join(", ")}.`);
  requireBuild();
  const world = await createWorld();
  endWhenCutOff(world.end);
  const rows: Row[] = [];
  try {
    for (const name of names.length > 0 ? names : Object.keys(parts)) {
      const measured = (await parts[name]?.(world)) ?? [];
      console.error(asMarkdown(measured));
      rows.push(...measured);
    }
    const text = `${await circumstances(world.browser, world.postgres)}\n\n${asMarkdown(rows)}`;
    console.log(text);
    if (names.length === 0) writeMeasurements("bench", text);
  } finally {
    await world.end();
  }
  process.exit(0);
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
