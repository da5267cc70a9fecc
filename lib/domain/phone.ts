/**
 * Phone numbers are stored as digits only: the dial code, then the national number (specification, section 3).
 * The tables are those of section 5, extended by the lengths that typing can reach (docs/decisions/phone-lengths.md).
 */
export interface Country {
  /** ISO 3166 code. */
  code: string;
  name: string;
  dialCode: string;
}

export const countries: readonly Country[] = [
  { code: "US", name: "United States", dialCode: "1" },
  { code: "CA", name: "Canada", dialCode: "1" },
  { code: "AU", name: "Australia", dialCode: "61" },
  { code: "GB", name: "United Kingdom", dialCode: "44" },
  { code: "DE", name: "Germany", dialCode: "49" },
  { code: "FR", name: "France", dialCode: "33" },
  { code: "IT", name: "Italy", dialCode: "39" },
  { code: "ES", name: "Spain", dialCode: "34" },
  { code: "JP", name: "Japan", dialCode: "81" },
  { code: "CN", name: "China", dialCode: "86" },
  { code: "IN", name: "India", dialCode: "91" },
  { code: "BR", name: "Brazil", dialCode: "55" },
  { code: "MX", name: "Mexico", dialCode: "52" },
  { code: "RU", name: "Russia", dialCode: "7" },
  { code: "KR", name: "South Korea", dialCode: "82" },
];

export const defaultCountry = "AU";

const totalLengths: Record<string, readonly number[]> = {
  "1": [11],
  "61": [11],
  "44": [12, 13],
  "91": [12],
  "49": [13],
  "33": [11],
  "39": [12],
  "34": [11],
  "81": [12],
  "86": [14],
  "55": [12, 13],
  "52": [12],
  "7": [11],
  "82": [12],
};

const longestNational: Record<string, number> = {
  "1": 10,
  "91": 10,
  "49": 10,
  "39": 10,
  "81": 10,
  "52": 10,
  "7": 10,
  "82": 10,
  "61": 9,
  "33": 9,
  "34": 9,
  "44": 11,
  "86": 11,
  "55": 11,
};

export function countryByCode(code: string): Country {
  const country = countries.find((candidate) => candidate.code === code);
  if (!country) throw new RangeError("Not one of the countries offered");
  return country;
}

/** The most digits that can be typed after a dial code. Without an entry in the table, the whole number has 15 at most. */
export function nationalLimit(dialCode: string): number {
  return longestNational[dialCode] ?? 15 - dialCode.length;
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
  const dialCode = countryOf(digits)?.dialCode;
  if (!dialCode) return true;
  const allowed = totalLengths[dialCode] ?? [];
  return allowed.includes(digits.length) || digits.length === dialCode.length + nationalLimit(dialCode);
}

/** Formats a number for display. Section 5 of the specification gives two formats; any other number is a plus and digits. */
export function formatPhone(digits: string): string {
  if (/^\d{10}$/.test(digits)) return `(${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`;
  if (/^1\d{10}$/.test(digits)) return `+1 ${formatPhone(digits.slice(1))}`;
  return digits === "" ? "" : `+${digits}`;
}
