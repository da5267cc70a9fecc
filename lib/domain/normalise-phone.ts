import { defaultCountry, isPossiblePhone, withoutSeparators } from "./phone";
import { readTypedPhone } from "./typed-phone";

/** No phone number is written with more characters. */
const maxLength = 60;

/**
 * The digits of a phone number as people and spreadsheets write it: +61 (0) 412 345 678, 0061 412…, 0412 345 678, or
 * 412345678, which a spreadsheet makes of the last by treating it as a number. Other text is returned unchanged.
 */
export function normalisePhone(text: string, country = defaultCountry): string {
  // Unicode normalisation takes quadratic time on many combining marks in the wrong order.
  if (text.length > maxLength) return text;
  // A spreadsheet that treats it as a number may write decimal places: 412345678.00.
  const bare = withoutSeparators(text.replace(/^\s*(\d+)\.00?\s*$/, "$1"));
  if (isPossiblePhone(bare)) return bare;
  // Other characters, such as those of an extension, are refused here, not dropped as the form does.
  if (!/^\+?\d+$/.test(bare)) return text;
  const { digits } = readTypedPhone(bare, country);
  return isPossiblePhone(digits) ? digits : text;
}
