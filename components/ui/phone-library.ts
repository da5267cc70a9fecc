import parsePhoneNumber from "libphonenumber-js/min";

export function nationalGroups(digits: string, dialCode: string): string | undefined {
  return parsePhoneNumber(`+${digits}`)?.formatInternational().replace(`+${dialCode} `, "");
}

/** The number as it is dialled in its own country, such as '07911 123456'. */
export function domesticFormat(digits: string): string | undefined {
  return parsePhoneNumber(`+${digits}`)?.formatNational();
}
