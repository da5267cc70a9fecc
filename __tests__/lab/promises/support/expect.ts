import { isDeepStrictEqual } from "node:util";

/** Thrown when a promise does not hold. */
export class Broken extends Error {
  override name = "Broken";
}

export function expect(holds: unknown, otherwise: string): asserts holds {
  if (!holds) throw new Broken(otherwise);
}

export function same(found: unknown, expected: unknown, what: string): void {
  if (isDeepStrictEqual(found, expected)) return;
  throw new Broken(`${what}: ${shown(found)} instead of ${shown(expected)}`);
}

function shown(value: unknown): string {
  // JSON.stringify alone would show a Set as {}.
  const text = JSON.stringify(value, (_, part) => (part instanceof Set ? [...part] : part));
  return (text ?? String(value)).slice(0, 400);
}
