import parsePhoneNumber, { type MetadataJson } from "libphonenumber-js/core";
import metadata from "./phone-metadata.json";

/** The groups of a number as its country writes them, without the dial code. */
export function nationalGroups(digits: string, dialCode: string): string | undefined {
  // The cast: a JSON module's arrays are wider than the library's tuples.
  const number = parsePhoneNumber(`+${digits}`, metadata as unknown as MetadataJson);
  return number?.formatInternational().replace(`+${dialCode} `, "");
}
