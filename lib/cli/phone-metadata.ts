import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import metadata from "libphonenumber-js/metadata.min.json";
import { countries } from "@/lib/domain/phone";
import { command } from "./command";

const file = "components/ui/phone-metadata.json";

const usage = `Writes ${file}: libphonenumber's metadata, reduced to the countries offered.
Run it after updating libphonenumber-js or changing the list of countries.

  npm run phone-metadata`;

export default command(module, usage, async (args) => {
  parseArgs({ args, strict: true, options: {} });
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
  // The file has one line per country. biome.json excludes it from formatting.
  const lines = Object.entries(trimmed.countries).map(([code, data]) => `"${code}":${JSON.stringify(data)}`);
  const text = JSON.stringify({ ...trimmed, countries: {} }).replace(
    '"countries":{}',
    `"countries":{\n${lines.join(",\n")}}`,
  );
  writeFileSync(file, `${text}\n`);
});
