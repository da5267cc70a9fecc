import parsePhoneNumber, { type MetadataJson } from "libphonenumber-js/core";
import metadata from "./phone-metadata.json";

/** The national number, grouped as is usual in its country. */
export function nationalGroups(digits: string, dialCode: string): string | undefined {
  // TypeScript infers arrays from the JSON module, but the library expects tuples.
  const number = parsePhoneNumber(`+${digits}`, metadata as unknown as MetadataJson);
  return number?.formatInternational().replace(`+${dialCode} `, "");
}
