import parsePhoneNumber from "libphonenumber-js/min";

export function nationalGroups(digits: string, dialCode: string): string | undefined {
  return parsePhoneNumber(`+${digits}`)?.formatInternational().replace(`+${dialCode} `, "");
}

/** '+64 21 234 567'. Undefined unless the digits are a valid number with its dial code. */
export function internationalNumber(digits: string): string | undefined {
  const number = parsePhoneNumber(`+${digits}`);
  return number?.isValid() ? number.formatInternational() : undefined;
}

/** The number as it is dialled in its own country, such as '07911 123456'. */
export function domesticFormat(digits: string): string | undefined {
  return parsePhoneNumber(`+${digits}`)?.formatNational();
}
