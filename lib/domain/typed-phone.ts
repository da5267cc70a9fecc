import { type Country, countryByCode, countryOf, defaultCountry, isPossiblePhone, nationalLimit } from "./phone";
import { withPlainDigits } from "./plain-digits";

interface TypedPhone {
  /** The country's code. Null if the dial code is not in the list. */
  country: string | null;
  /** Dial code and national number of any length, since the schema checks it. Empty while there is only a dial code. */
  digits: string;
}

const digitsIn = (text: string) => withPlainDigits(text).replace(/\D/g, "");

/** Removes the trunk prefix, usually 0, which is dialled only inside the country. Italian numbers keep their 0. */
function withoutTrunk(national: string, { code, dialCode }: Country): string {
  if (dialCode === "1") return national.replace(/^1/, "");
  if (code === "RU") return national.replace(/^8(?=\d{10}$)/, "");
  return code === "IT" ? national : national.replace(/^0/, "");
}

/** Whether this is an international number that was pasted without its plus: '61 412 345 678' under +61. */
function isWithoutPlus(national: string, { dialCode }: Country): boolean {
  const isLonger = national.length > nationalLimit(dialCode) && national.startsWith(dialCode);
  return isLonger && !isPossiblePhone(dialCode + national);
}

/** Countries in which no national number begins with the dial code. Brazil's area code 55 shows that this can happen. */
const neverBeginsWithDialCode = ["AU", "GB", "ES"];

/**
 * Parses text while `current` (a country's code) is selected. `isKey` means that text was added by typing, not by pasting. A
 * number that begins with its own dial code may then be a national number that is getting too long, not an international one
 * without its plus.
 */
export function readTypedPhone(text: string, current: string | null, isKey = false): TypedPhone {
  const dialled = digitsIn(text);
  // 00, or 0011 in Australia, is dialled instead of the plus sign. No dial code begins with 0.
  const typed = dialled.replace(/^00(11)?/, "");
  const isInternational = typed !== dialled || /^[^\p{Nd}]*[+＋]/u.test(text);
  // A number with an unknown dial code is shown with its plus. Without one, it has become a national number.
  const country = isInternational ? countryOf(typed, current ?? undefined) : countryByCode(current ?? defaultCountry);
  if (!country) return { country: current, digits: typed };
  const { code, dialCode } = country;
  let national = withoutTrunk(isInternational ? typed.slice(dialCode.length) : typed, country);
  if (!isInternational && (!isKey || neverBeginsWithDialCode.includes(code)) && isWithoutPlus(national, country))
    national = withoutTrunk(national.slice(dialCode.length), country);
  return { country: code, digits: national && dialCode + national };
}

/** Whether the digits exceed the limit for typing: the longest national number, or 15 in all if the country is unknown. */
export function exceedsTypingLimit({ country, digits }: TypedPhone): boolean {
  const dialCode = countryOf(digits, country ?? undefined)?.dialCode ?? "";
  return digits.length > dialCode.length + nationalLimit(dialCode);
}

/** A stored number without its dial code, as the input shows it. */
export function nationalPart(digits: string, country: Country | null): string {
  return country && digits.startsWith(country.dialCode) ? digits.slice(country.dialCode.length) : digits;
}

/** Drops characters that no phone number contains. */
export function typablePhone(text: string): string {
  return text.replace(/[^\p{Nd}\s().+＋-]/gu, "").trimStart();
}
