import { useEffect, useState } from "react";
import { type Country, countryOf, formatPhone, isPossiblePhone } from "@/lib/domain/phone";
import { nationalPart } from "@/lib/domain/typed-phone";

type Library = typeof import("./phone-library");

/** libphonenumber is loaded once, and only for countries that `builtInGrouping` does not cover. */
let library: Library | null = null;

const builtInGrouping: Record<string, (national: string) => string> = {
  US: formatPhone,
  CA: formatPhone,
  AU: (national) =>
    national.startsWith("4")
      ? national.replace(/^(\d{3})(\d{3})(\d{3})$/, "$1 $2 $3")
      : national.replace(/^(\d)(\d{4})(\d{4})$/, "$1 $2 $3"),
};

/** The text of useNationalPhone, without loading libphonenumber. */
function nationalText(digits: string, country: Country | null): string {
  const national = nationalPart(digits, country);
  if (!country) return digits && `+${digits}`;
  // A number that is too short or too long stays ungrouped, because grouping would make it look complete.
  if (!isPossiblePhone(digits)) return national;
  const grouped = builtInGrouping[country.code]?.(national);
  return grouped ?? library?.nationalGroups(digits, country.dialCode) ?? national;
}

function readableText(digits: string): string {
  const country = countryOf(digits);
  const plain = formatPhone(digits);
  const alreadyGrouped = plain.includes("(") || !country;
  return alreadyGrouped ? plain : `+${country.dialCode} ${nationalText(digits, country)}`;
}

function useLibraryFor(digits: string, country: Country | null): void {
  const [, renderAgain] = useState(0);
  const needed = digits !== "" && country !== null && !builtInGrouping[country.code];
  useEffect(() => {
    if (!needed || library) return;
    // If the chunk cannot be loaded, the digits are shown ungrouped.
    import("./phone-library").then(
      (loaded) => {
        library = loaded;
        renderAgain((count) => count + 1);
      },
      () => undefined,
    );
  }, [needed]);
}

/** The national part of a stored number, grouped as is usual in its country. */
export function useNationalPhone(digits: string, country: Country | null): string {
  useLibraryFor(digits, country);
  return nationalText(digits, country);
}

/** A stored number for display, in a format of the specification, section 5, or like '+61 412 345 678'. */
export function useReadablePhone(digits: string): string {
  useLibraryFor(digits, countryOf(digits));
  return readableText(digits);
}
