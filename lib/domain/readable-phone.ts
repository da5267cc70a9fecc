import { type Country, countryOf, formatPhone, isPossiblePhone } from "./phone";
import { nationalPart } from "./typed-phone";

/** Browsers load libphonenumber only for the numbers that need it. Until then, digits stay ungrouped. */
export type PhoneLibrary = typeof import("./phone-library");

const builtInGrouping: Record<string, (national: string) => string> = {
  US: formatPhone,
  CA: formatPhone,
  AU: (national) =>
    national.startsWith("4")
      ? national.replace(/^(\d{3})(\d{3})(\d{3})$/, "$1 $2 $3")
      : national.replace(/^(\d)(\d{4})(\d{4})$/, "$1 $2 $3"),
};

/** Whether the national part of a number is grouped by libphonenumber. */
export const isGroupedByLibrary = (digits: string, country: Country | null) =>
  digits !== "" && country !== null && !builtInGrouping[country.code];

/** The national part of a stored number, grouped as is usual in its country. */
export function nationalPhone(digits: string, country: Country | null, library?: PhoneLibrary): string {
  const national = nationalPart(digits, country);
  if (!country) return digits && `+${digits}`;
  // A number that is too short or too long stays ungrouped, because grouping would make it look complete.
  if (!isPossiblePhone(digits)) return national;
  return builtInGrouping[country.code]?.(national) ?? library?.nationalGroups(digits, country.dialCode) ?? national;
}

const isTenDigits = (digits: string) => digits.length === 10;

/** Whether `readablePhone` needs libphonenumber: ten digits may be an international number. */
export const needsLibrary = (digits: string) => isTenDigits(digits) || isGroupedByLibrary(digits, countryOf(digits));

/** A stored number for display, in a format of the specification, section 5, or like '+61 412 345 678'. */
export function readablePhone(digits: string, library?: PhoneLibrary): string {
  const plain = formatPhone(digits);
  if (isTenDigits(digits)) return library?.internationalNumber(digits) ?? plain;
  const country = countryOf(digits);
  return plain.includes("(") || !country ? plain : `+${country.dialCode} ${nationalPhone(digits, country, library)}`;
}
