import { type Country, countryByCode, countryOf, nationalLimit } from "./phone";

/** No number in the world has more digits. */
const longestAnywhere = 15;

export interface TypedPhone {
  /** The country's code; null where the dial code is none of those offered. */
  country: string | null;
  /** The dial code, then the national number; empty while nothing but a dial code stands there. */
  digits: string;
}

/** Italian numbers keep their leading 0; elsewhere it is dialled only inside the country. */
function withoutTrunk(national: string, { code, dialCode }: Country): string {
  if (dialCode === "1") return national.replace(/^1/, "");
  if (code === "RU" && national.length > nationalLimit(dialCode)) return national.replace(/^8/, "");
  return code === "IT" ? national : national.replace(/^0+/, "");
}

function nationalDigits(typed: string, country: Country): string {
  const limit = nationalLimit(country.dialCode);
  const national = withoutTrunk(typed, country);
  // A whole number copied without its plus: '61 412 345 678' under +61.
  const startsWhole = national.length > limit && national.startsWith(country.dialCode);
  return (startsWhole ? withoutTrunk(national.slice(country.dialCode.length), country) : national).slice(0, limit);
}

/** What a person typed or pasted into the field of `current` (a country's code), as it is stored. */
export function readTypedPhone(text: string, current: string | null): TypedPhone {
  const international = /^\s*(?:\+|00(?!1))/.test(text);
  const typed = (international ? text.replace(/^\s*00/, "") : text).replace(/\D/g, "");
  const country = international || current === null ? countryOf(typed, current ?? undefined) : countryByCode(current);
  if (!country) return { country: current, digits: typed.slice(0, longestAnywhere) };
  const written = international || current === null ? typed.slice(country.dialCode.length) : typed;
  const national = nationalDigits(written, country);
  return { country: country.code, digits: national && country.dialCode + national };
}

/** The part of a stored number that stands in the field, beside the dial code. */
export function nationalPart(digits: string, country: Country | null): string {
  return country && digits.startsWith(country.dialCode) ? digits.slice(country.dialCode.length) : digits;
}

/** Keeps what people write in a phone number, and no more digits than the country's numbers have. */
export function typablePhone(text: string, current: string | null): string {
  const plus = text.trimStart().startsWith("+") ? "+" : "";
  let kept = plus + text.replace(/[^\d\s().-]/g, "").trimStart();
  while (isFull(kept, current) && changesNothing(kept, current)) kept = withoutLastDigit(kept);
  return kept;
}

function isFull(text: string, current: string | null): boolean {
  const { country, digits } = readTypedPhone(text, current);
  if (!country) return digits.length === longestAnywhere;
  const { dialCode } = countryByCode(country);
  return digits.length - dialCode.length >= nationalLimit(dialCode);
}

function changesNothing(text: string, current: string | null): boolean {
  return readTypedPhone(text, current).digits === readTypedPhone(withoutLastDigit(text), current).digits;
}

function withoutLastDigit(text: string): string {
  return text.replace(/\d(\D*)$/, "$1");
}
