import parsePhoneNumber from "libphonenumber-js/min";

export function nationalGroups(digits: string, dialCode: string): string | undefined {
  return parsePhoneNumber(`+${digits}`)?.formatInternational().replace(`+${dialCode} `, "");
}
