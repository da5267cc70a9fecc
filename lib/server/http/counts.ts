import "server-only";

/** What is counted while METRICS_PORT is set. */
interface Counts {
  call(line: { call: string; status: number; milliseconds: number }): void;
  submission(): void;
  message(line: { channel: string; kind?: string; outcome?: string }): void;
}

// On the process: Next bundles the instrumentation, which serves the metrics, and the calls apart.
const kept = globalThis as { rentAdvanceCounts?: Counts };

export function counts(): Counts | undefined {
  return kept.rentAdvanceCounts;
}

export function countWith(counts: Counts): void {
  kept.rentAdvanceCounts = counts;
}
