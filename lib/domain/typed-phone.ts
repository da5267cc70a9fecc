import { type Country, countryByCode, countryOf, nationalLimit } from "./phone";

/** The most digits E.164 allows. */
const longestAnywhere = 15;

export interface TypedPhone {
  /** The country's code; null where the dial code is not in the list. */
  country: string | null;
  /** Dial code and national number; empty while there is only a dial code. */
  digits: string;
}

/** Removes the leading 0, which is dialled only inside the country. Italian numbers keep it. */
function withoutTrunk(national: string, { code, dialCode }: Country): string {
  if (dialCode === "1") return national.replace(/^1/, "");
  if (code === "RU" && national.length > nationalLimit(dialCode)) return national.replace(/^8/, "");
  return code === "IT" ? national : national.replace(/^0+/, "");
}

function nationalDigits(typed: string, country: Country): string {
  const limit = nationalLimit(country.dialCode);
  const national = withoutTrunk(typed, country);
  // An international number pasted without its plus: '61 412 345 678' under +61.
  const startsWhole = national.length > limit && national.startsWith(country.dialCode);
  return (startsWhole ? withoutTrunk(national.slice(country.dialCode.length), country) : national).slice(0, limit);
}

/** Parses text typed or pasted while `current` (a country's code) is selected. */
export function readTypedPhone(text: string, current: string | null): TypedPhone {
  const international = /^\s*(?:\+|00(?!1))/.test(text);
  const typed = (international ? text.replace(/^\s*00/, "") : text).replace(/\D/g, "");
  const country = international || current === null ? countryOf(typed, current ?? undefined) : countryByCode(current);
  if (!country) return { country: current, digits: typed.slice(0, longestAnywhere) };
  const written = international || current === null ? typed.slice(country.dialCode.length) : typed;
  const national = nationalDigits(written, country);
  return { country: country.code, digits: national && country.dialCode + national };
}

/** A stored number without its dial code, as the input shows it. */
export function nationalPart(digits: string, country: Country | null): string {
  return country && digits.startsWith(country.dialCode) ? digits.slice(country.dialCode.length) : digits;
}

/** Drops characters that no phone number contains, and digits beyond the country's longest number. */
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
