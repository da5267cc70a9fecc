import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Options for Node under which a process believes itself so many days from today. */
export function skewedClock(days: number, folder: string): string {
  const file = join(folder, `clock${days}.cjs`);
  writeFileSync(
    file,
    `const Real = Date, skew = ${days} * 86400000;
globalThis.Date = class extends Real {
  constructor(...given) { given.length ? super(...given) : super(Real.now() + skew); }
  static now() { return Real.now() + skew; }
  // Its own, not inherited: Next puts another constructor in its place, with what is its own alone.
  static UTC = Real.UTC;
  static parse = Real.parse;
};`,
  );
  return `--require ${file}`;
}
