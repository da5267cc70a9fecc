import { type Country, countryOf, formatPhone, isPossiblePhone } from "@/lib/domain/phone";
import { nationalPart } from "@/lib/domain/typed-phone";
import { useOnDemand } from "./use-on-demand";

/** libphonenumber is needed only for countries that `builtInGrouping` does not cover. Without it, digits stay ungrouped. */
const loadLibrary = () => import("./phone-library");

const builtInGrouping: Record<string, (national: string) => string> = {
  US: formatPhone,
  CA: formatPhone,
  AU: (national) =>
    national.startsWith("4")
      ? national.replace(/^(\d{3})(\d{3})(\d{3})$/, "$1 $2 $3")
      : national.replace(/^(\d)(\d{4})(\d{4})$/, "$1 $2 $3"),
};

/** The national part of a stored number, grouped as is usual in its country. */
export function useNationalPhone(digits: string, country: Country | null): string {
  const grouping = country ? builtInGrouping[country.code] : undefined;
  const library = useOnDemand(loadLibrary, digits !== "" && country !== null && !grouping);
  const national = nationalPart(digits, country);
  if (!country) return digits && `+${digits}`;
  // A number that is too short or too long stays ungrouped, because grouping would make it look complete.
  if (!isPossiblePhone(digits)) return national;
  return grouping?.(national) ?? library?.nationalGroups(digits, country.dialCode) ?? national;
}

/** The number as people dial it at home, such as '0412 345 678'. Until the library has loaded, as the input shows it. */
export function useDomesticPhone(digits: string, country: Country | null): string {
  const national = useNationalPhone(digits, country);
  const library = useOnDemand(loadLibrary, false);
  if (!country) return national;
  // Australian numbers that begin with 1, such as 1300 numbers, are dialled without a 0.
  if (country.code === "AU")
    return nationalPart(digits, country).startsWith("1") ? nationalPart(digits, country) : `0${national}`;
  return library?.domesticFormat(digits) ?? national;
}

/** A stored number for display, in a format of the specification, section 5, or like '+61 412 345 678'. */
export function ReadablePhone({ digits }: { digits: string }) {
  const country = countryOf(digits);
  const national = useNationalPhone(digits, country);
  const plain = formatPhone(digits);
  return <span>{plain.includes("(") || !country ? plain : `+${country.dialCode} ${national}`}</span>;
}
