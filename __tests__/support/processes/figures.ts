/** Returns the quantile at `share`, for example 0.95 for the p95. */
export function quantile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

export const median = (values: number[]) => quantile(values, 0.5);

export const slowest = (values: number[]) => values.reduce((most, value) => Math.max(most, value), 0);

export const milliseconds = (value: number) => `${Math.round(value)} ms`;

/** How often each value occurs: '180 × 200, 20 × 503'. */
export function tally(values: (string | number)[]): string {
  const counts = new Map<string | number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].map(([value, count]) => `${count} × ${value}`).join(", ");
}
