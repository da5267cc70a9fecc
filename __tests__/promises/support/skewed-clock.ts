import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** NODE_OPTIONS that shift a process's Date by so many days. */
export function skewedClock(days: number, folder: string): string {
  const file = join(folder, `clock${days}.cjs`);
  writeFileSync(
    file,
    `const Real = Date, skew = ${days} * 86400000;
globalThis.Date = class extends Real {
  constructor(...given) { given.length ? super(...given) : super(Real.now() + skew); }
  static now() { return Real.now() + skew; }
  // Redefined here: Next wraps Date and copies own properties only, not inherited ones.
  static UTC = Real.UTC;
  static parse = Real.parse;
};`,
  );
  return `--require ${file}`;
}
