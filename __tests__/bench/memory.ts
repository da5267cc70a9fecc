import { setTimeout as sleep } from "node:timers/promises";
import type { Row } from "./table";

/** Megabytes of a process. */
export interface Memory {
  heap: number;
  resident: number;
}

/** Megabytes a minute. At 250 saves a second it is a leak of 130 bytes a save. */
const steepest = 2;

async function memoryOf(metricsPort: number): Promise<Memory> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const megabytes = (name: string) => Number(text.match(new RegExp(`^${name} (\\S+)`, "m"))?.[1]) / 1e6;
  return { heap: megabytes("nodejs_heap_size_used_bytes"), resident: megabytes("process_resident_memory_bytes") };
}

/** The lowest while the work goes on, looked at each second: what garbage collections leave. */
export async function lowestMemory(metricsPort: number, work: Promise<unknown>): Promise<Memory> {
  const seen: Memory[] = [];
  for (let goesOn = true; goesOn; ) {
    seen.push(await memoryOf(metricsPort));
    goesOn = await Promise.race([work.then(() => false), sleep(1000, true)]);
  }
  const lowest = (kind: keyof Memory) => Math.min(...seen.map((one) => one[kind]));
  return { heap: lowest("heap"), resident: lowest("resident") };
}

/** The least squares through the values but the first, in whose minute caches fill. */
function slopeOf([, ...values]: number[]): number {
  const mean = (numbers: number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
  const [x, y] = [mean([...values.keys()]), mean(values)];
  const rise = mean(values.map((value, n) => (n - x) * (value - y)));
  return rise / mean(values.map((_, n) => (n - x) ** 2));
}

export function memoryRow(minutes: Memory[]): Row {
  const kinds = ["heap", "resident"] as const;
  const slopes = kinds.map((kind) => slopeOf(minutes.map((one) => one[kind])));
  const megabytes = (one?: Memory) => kinds.map((kind) => one?.[kind].toFixed(0)).join(" and ");
  return {
    what: "memory of that process, heap and resident: the lowest of each minute",
    floor: "its second minute to its last",
    limit: `≤ ${steepest} MB a minute`,
    measured: `${slopes.map((slope) => slope.toFixed(2)).join(" and ")} MB a minute`,
    spread: `${megabytes(minutes[1])} to ${megabytes(minutes.at(-1))} MB`,
    verdict: slopes.every((slope) => slope <= steepest) ? "kept" : "missed",
  };
}
