import { useEffect, useState } from "react";
import { type Country, countryOf, formatPhone, isPossiblePhone } from "@/lib/domain/phone";
import { nationalPart } from "@/lib/domain/typed-phone";

type Library = typeof import("./phone-library");

/** libphonenumber, loaded once and only for countries whose grouping is not handled here. */
let library: Library | null = null;

const ownGroups: Record<string, (national: string) => string> = {
  US: formatPhone,
  CA: formatPhone,
  AU: (national) =>
    national.startsWith("4")
      ? national.replace(/^(\d{3})(\d{3})(\d{3})$/, "$1 $2 $3")
      : national.replace(/^(\d)(\d{4})(\d{4})$/, "$1 $2 $3"),
};

/** As useNationalPhone, for a number that is not rendered yet. */
export function nationalText(digits: string, country: Country | null): string {
  const national = nationalPart(digits, country);
  if (!country) return digits && `+${digits}`;
  // Its digits alone: grouped like a whole number, one that is too short or too long would look like another.
  if (!isPossiblePhone(digits)) return national;
  const grouped = ownGroups[country.code]?.(national);
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
  const needed = digits !== "" && country !== null && !ownGroups[country.code];
  useEffect(() => {
    if (!needed || library) return;
    let mounted = true;
    // If the chunk cannot be loaded, the digits are shown ungrouped.
    import("./phone-library").then(
      (loaded) => {
        library = loaded;
        if (mounted) renderAgain((count) => count + 1);
      },
      () => undefined,
    );
    return () => {
      mounted = false;
    };
  }, [needed]);
}

/** The national part of a stored number, grouped as in its country. */
export function useNationalPhone(digits: string, country: Country | null): string {
  useLibraryFor(digits, country);
  return nationalText(digits, country);
}

/** A whole stored number for reading: the two shapes of the specification, section 5, or '+61 412 345 678'. */
export function useReadablePhone(digits: string): string {
  useLibraryFor(digits, countryOf(digits));
  return readableText(digits);
}
