import { writeFileSync } from "node:fs";
import metadata from "libphonenumber-js/metadata.min.json";
import { countries } from "@/lib/domain/phone";

/**
 * Trims libphonenumber's metadata to the countries offered: components/ui/phone-metadata.json.
 * Run it after an update of libphonenumber-js or a change of the countries.
 */
const offered = new Set(countries.map(({ code }) => code));

const trimmed = {
  version: metadata.version,
  country_calling_codes: Object.fromEntries(
    Object.entries(metadata.country_calling_codes)
      .map(([dialCode, codes]) => [dialCode, codes.filter((code) => offered.has(code))] as const)
      .filter(([, codes]) => codes.length > 0),
  ),
  countries: Object.fromEntries(Object.entries(metadata.countries).filter(([code]) => offered.has(code))),
};

/** One line for each country, which is excluded from the formatter. */
const lines = Object.entries(trimmed.countries).map(([code, data]) => `"${code}":${JSON.stringify(data)}`);
const text = JSON.stringify({ ...trimmed, countries: {} }).replace(
  '"countries":{}',
  `"countries":{\n${lines.join(",\n")}}`,
);

writeFileSync("components/ui/phone-metadata.json", `${text}\n`);
