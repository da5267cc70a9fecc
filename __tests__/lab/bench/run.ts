import { requireBuild } from "@/__tests__/support/processes/build";
import { cleanUpOnTermination } from "@/__tests__/support/processes/clean-up-on-termination";
import { circumstances, type Measurement, writeMeasurements } from "@/__tests__/support/processes/measurements";
import { calls, coldStart, large } from "./calls";
import { type Figure, measurementOf } from "./figures";
import { keys } from "./keys";
import { arrivals, bytes, shifts } from "./pages";
import { type Bench, createBench } from "./world";

const parts: Record<string, (bench: Bench) => Promise<Figure[]>> = {
  arrivals,
  keys,
  bytes,
  shifts,
  calls,
  start: coldStart,
  large,
};

/** Runs the named parts, or all. A full run writes its figures to docs/measurements.json. */
async function main(names: string[]): Promise<void> {
  const unknown = names.find((name) => !parts[name]);
  if (unknown) throw new Error(`Unknown part '${unknown}'. Choose from ${Object.keys(parts).join(", ")}.`);
  requireBuild();
  const bench = await createBench();
  cleanUpOnTermination(bench.end);
  const measured: Record<string, Measurement> = {};
  try {
    for (const name of names.length > 0 ? names : Object.keys(parts)) {
      for (const figure of (await parts[name]?.(bench)) ?? []) {
        measured[figure.what] = measurementOf(figure);
        console.log(figure.what, measured[figure.what]);
      }
    }
    const where = await circumstances(bench.browser, bench.postgres);
    console.log(where);
    if (names.length === 0) writeMeasurements(measured, where);
  } finally {
    await bench.end();
  }
  process.exit(0);
}

main(process.argv.slice(2));
