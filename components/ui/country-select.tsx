import { type Country, countries } from "@/lib/domain/phone";
import { CountryFlag } from "./country-flag";
import { Icon } from "./icon";

interface CountrySelectProps {
  id: string;
  /** Null if the number's dial code is not in the list. */
  country: Country | null;
  readOnly?: boolean;
  onPick: (code: string) => void;
}

/**
 * A flag and dial code under a transparent native <select>, so the browser handles the keyboard, screen readers, the
 * phone's picker and closing on an outside click.
 */
export function CountrySelect({ id, country, readOnly, onPick }: CountrySelectProps) {
  const flagAndDialCode = (
    <>
      <CountryFlag country={country} />
      <span aria-hidden="true" className="min-w-8 text-ink">
        {country ? `+${country.dialCode}` : ""}
      </span>
    </>
  );
  if (readOnly)
    return (
      <div className="flex min-h-12 items-center gap-2 border-line border-r bg-paper px-3.5">
        <span className="sr-only">{country && `${country.name} +${country.dialCode}`}</span>
        {flagAndDialCode}
      </div>
    );
  return (
    <div className="relative flex min-h-12 items-center gap-2 rounded-l-[inherit] border-line border-r bg-paper px-3.5 focus-within:-outline-offset-3 focus-within:outline-3 focus-within:outline-focus">
      {flagAndDialCode}
      <Icon path="m5 7.5 5 5 5-5" size={20} className="size-4 text-ink-soft" />
      <select
        id={id}
        aria-label="Country code"
        value={country?.code ?? ""}
        onChange={(event) => onPick(event.target.value)}
        className="absolute inset-0 cursor-pointer opacity-0"
      >
        {!country && (
          <option value="" disabled>
            Other
          </option>
        )}
        {countries.map(({ code, name, dialCode }) => (
          <option key={code} value={code}>
            {name} (+{dialCode})
          </option>
        ))}
      </select>
    </div>
  );
}
