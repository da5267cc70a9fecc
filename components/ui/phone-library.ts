import parsePhoneNumber, { type MetadataJson } from "libphonenumber-js/core";
import metadata from "./phone-metadata.json";

/** The national number, grouped as its country writes it. */
export function nationalGroups(digits: string, dialCode: string): string | undefined {
  // TypeScript infers arrays for the JSON module where the library wants tuples.
  const number = parsePhoneNumber(`+${digits}`, metadata as unknown as MetadataJson);
  return number?.formatInternational().replace(`+${dialCode} `, "");
}
