import { countryByCode, countryOf, defaultCountry, isPossiblePhone } from "@/lib/domain/phone";

/** No phone number is written with more characters. */
const maxLength = 60;

/**
 * The digits of a phone number as people and spreadsheets write it: +61 (0) 412 345 678, 0061 412…, 0412 345 678, or
 * 412345678, which a spreadsheet makes of the last by treating it as a number. Other text is returned unchanged.
 */
export function normalisePhone(text: string): string {
  // Unicode normalisation takes quadratic time on many combining marks in the wrong order.
  if (text.length > maxLength) return text;
  // A spreadsheet that treats it as a number may write decimal places: 412345678.00.
  const bare = text
    .normalize("NFKC")
    .replace(/^\s*(\d+)\.00?\s*$/, "$1")
    .replace(/\(0\)|[\s().-]/g, "");
  const international = /^(?:\+|0011|00)([1-9]\d*)$/.exec(bare)?.[1];
  if (international) return withoutTrunk(international);
  if (!/^\d{4,}$/.test(bare)) return text;
  if (isPossiblePhone(bare)) return bare;
  const home = countryByCode(defaultCountry).dialCode + bare.replace(/^0/, "");
  return isPossiblePhone(home) ? home : text;
}

/** Removes the 0 after the dial code, as in '+61 0412 345 678'. */
function withoutTrunk(digits: string): string {
  const dialCode = countryOf(digits)?.dialCode ?? "";
  const shorter = dialCode + digits.slice(dialCode.length).replace(/^0/, "");
  return !isPossiblePhone(digits) && isPossiblePhone(shorter) ? shorter : digits;
}
