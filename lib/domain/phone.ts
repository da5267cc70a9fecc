import { withPlainDigits } from "./plain-digits";

/**
 * Phone numbers are stored as digits only: the dial code, then the national number (specification, section 3).
 * The lengths are those of section 5. A number may also have the length that typing can reach (docs/decisions/phone-lengths.md).
 */
export interface Country {
  /** ISO 3166 code. */
  code: string;
  name: string;
  dialCode: string;
  /** The accepted lengths of a complete number, with the dial code. */
  lengths: readonly number[];
  /** The most digits that can be typed after the dial code. */
  maxNational: number;
}

export const countries: readonly Country[] = [
  { code: "US", name: "United States", dialCode: "1", lengths: [11], maxNational: 10 },
  { code: "CA", name: "Canada", dialCode: "1", lengths: [11], maxNational: 10 },
  { code: "AU", name: "Australia", dialCode: "61", lengths: [11], maxNational: 9 },
  { code: "GB", name: "United Kingdom", dialCode: "44", lengths: [12, 13], maxNational: 11 },
  { code: "DE", name: "Germany", dialCode: "49", lengths: [13], maxNational: 10 },
  { code: "FR", name: "France", dialCode: "33", lengths: [11], maxNational: 9 },
  { code: "IT", name: "Italy", dialCode: "39", lengths: [12], maxNational: 10 },
  { code: "ES", name: "Spain", dialCode: "34", lengths: [11], maxNational: 9 },
  { code: "JP", name: "Japan", dialCode: "81", lengths: [12], maxNational: 10 },
  { code: "CN", name: "China", dialCode: "86", lengths: [14], maxNational: 11 },
  { code: "IN", name: "India", dialCode: "91", lengths: [12], maxNational: 10 },
  { code: "BR", name: "Brazil", dialCode: "55", lengths: [12, 13], maxNational: 11 },
  { code: "MX", name: "Mexico", dialCode: "52", lengths: [12], maxNational: 10 },
  { code: "RU", name: "Russia", dialCode: "7", lengths: [11], maxNational: 10 },
  { code: "KR", name: "South Korea", dialCode: "82", lengths: [12], maxNational: 10 },
];

export const defaultCountry = "AU";

export function countryByCode(code: string): Country {
  const country = countries.find((candidate) => candidate.code === code);
  if (!country) throw new RangeError("Not one of the countries offered");
  return country;
}

/** The most digits that can be typed after a dial code. If it is not in the list, the whole number has 15 at most. */
export function nationalLimit(dialCode: string): number {
  const country = countries.find((candidate) => candidate.dialCode === dialCode);
  return country?.maxNational ?? 15 - dialCode.length;
}

/**
 * The country of a stored number. If several countries share its dial code, `preferred` wins if it is one of them. No dial
 * code is the prefix of another.
 */
export function countryOf(digits: string, preferred: string = defaultCountry): Country | null {
  const fitting = countries.filter((country) => digits.startsWith(country.dialCode));
  return fitting.find((country) => country.code === preferred) ?? fitting[0] ?? null;
}

/** Three or fewer characters count as empty, because a dial code has no more (specification, section 5). */
export function isEmptyPhone(digits: string): boolean {
  return digits.length <= 3;
}

/** Whether the number has a length that its dial code allows. */
export function isPossiblePhone(digits: string): boolean {
  // No dial code begins with 0.
  if (!/^[1-9]\d{9,14}$/.test(digits)) return false;
  const country = countryOf(digits);
  if (!country) return true;
  return country.lengths.includes(digits.length) || digits.length === country.dialCode.length + country.maxNational;
}

/** Removes the spaces, brackets, dots, dashes and invisible characters of a number as people write, copy and paste it. */
export function withoutSeparators(text: string): string {
  const bare = text.normalize("NFKC").replace(/\(0\)|[\s().\p{Pd}\u2212\p{Cf}]/gu, "");
  return withPlainDigits(bare);
}

/** Formats a number for display. Section 5 of the specification gives two formats; any other number is a plus and digits. */
export function formatPhone(digits: string): string {
  if (/^\d{10}$/.test(digits)) return `(${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`;
  if (/^1\d{10}$/.test(digits)) return `+1 ${formatPhone(digits.slice(1))}`;
  return digits === "" ? "" : `+${digits}`;
}
