import type { Country } from "@/lib/domain/phone";
import { isGroupedByLibrary, nationalPhone } from "@/lib/domain/readable-phone";
import { nationalPart } from "@/lib/domain/typed-phone";
import { useOnDemand } from "./use-on-demand";

const loadLibrary = () => import("@/lib/domain/phone-library");

/** libphonenumber, once it is loaded. */
export const usePhoneLibrary = (isNeeded: boolean) => useOnDemand(loadLibrary, isNeeded);

/** The national part of a stored number, grouped as is usual in its country. */
export function useNationalPhone(digits: string, country: Country | null): string {
  return nationalPhone(digits, country, usePhoneLibrary(isGroupedByLibrary(digits, country)));
}

/** The number as people dial it at home, such as '0412 345 678'. Until the library has loaded, as the input shows it. */
export function useDomesticPhone(digits: string, country: Country | null): string {
  const national = useNationalPhone(digits, country);
  const library = usePhoneLibrary(false);
  if (!country) return national;
  // Australian numbers that begin with 1, such as 1300 numbers, are dialled without a 0.
  if (country.code === "AU")
    return nationalPart(digits, country).startsWith("1") ? nationalPart(digits, country) : `0${national}`;
  return library?.domesticFormat(digits) ?? national;
}
