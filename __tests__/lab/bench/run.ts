import { requireBuild } from "@/__tests__/support/processes/build";
import { cleanUpOnTermination } from "@/__tests__/support/processes/clean-up-on-termination";
import { circumstances, writeMeasurements } from "@/__tests__/support/processes/measurements";
import { calls, coldStart, large } from "./calls";
import { asMarkdown, type Figure } from "./figures";
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

/** Runs the named parts, or all. A full run writes its table into docs/measurements.md. */
async function main(names: string[]): Promise<void> {
  const unknown = names.find((name) => !parts[name]);
  if (unknown) throw new Error(`Unknown part '${unknown}'. Choose from ${Object.keys(parts).join(", ")}.`);
  requireBuild();
  const bench = await createBench();
  cleanUpOnTermination(bench.end);
  const figures: Figure[] = [];
  try {
    for (const name of names.length > 0 ? names : Object.keys(parts)) {
      const measured = (await parts[name]?.(bench)) ?? [];
      console.error(asMarkdown(measured));
      figures.push(...measured);
    }
    const text = `${await circumstances(bench.browser, bench.postgres)}\n\n${asMarkdown(figures)}`;
    console.log(text);
    if (names.length === 0) writeMeasurements("bench", () => text);
  } finally {
    await bench.end();
  }
  process.exit(0);
}

main(process.argv.slice(2));
