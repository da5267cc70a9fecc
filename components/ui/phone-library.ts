import parsePhoneNumber from "libphonenumber-js/min";

/** The national number, grouped as is usual in its country. */
export function nationalGroups(digits: string, dialCode: string): string | undefined {
  return parsePhoneNumber(`+${digits}`)?.formatInternational().replace(`+${dialCode} `, "");
}
