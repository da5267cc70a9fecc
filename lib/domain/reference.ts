/** Without look-alikes, because references are read aloud and copied by hand: no 0/O, 1/I/L, 2/Z, 5/S, 8/B, U/V, and no 6 beside G. */
const alphabet = "3479ACDEFGHJKMNPQRTWXY";
const length = 8;

/** A short reference such as 'K7QM-4XRT'. `randomBelow(n)` returns a uniform integer from 0 to n − 1. */
export function makeReference(randomBelow: (n: number) => number): string {
  const letters = Array.from({ length }, () => alphabet[randomBelow(alphabet.length)]).join("");
  return `${letters.slice(0, length / 2)}-${letters.slice(length / 2)}`;
}

/** The reference as stored, from what a person typed: any case, with any dash or none. Null if it cannot be one. */
export function readReference(text: string): string | null {
  const letters = text.toUpperCase().replace(/[\s\p{Pd}\p{Cf}]/gu, "");
  const isValid = letters.length === length && [...letters].every((letter) => alphabet.includes(letter));
  return isValid ? `${letters.slice(0, length / 2)}-${letters.slice(length / 2)}` : null;
}
