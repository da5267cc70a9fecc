import { type Country, countries, defaultCountry } from "@/lib/domain/phone";
import { Icon } from "./icon";
import { useOnDemand } from "./use-on-demand";

interface CountrySelectProps {
  id: string;
  /** The id of the country in words, which describes the number. */
  nameId: string;
  /** Null if the number's dial code is not in the list. */
  country: Country | null;
  readOnly?: boolean;
  onPick: (code: string) => void;
}

/**
 * A flag and dial code under a transparent native <select>, so the browser handles the keyboard, screen readers, the
 * phone's picker and closing on an outside click.
 */
export function CountrySelect({ id, nameId, country, readOnly, onPick }: CountrySelectProps) {
  return (
    <div className="relative flex min-h-12 items-center gap-2 rounded-l-[inherit] border-line border-r bg-paper px-3.5 focus-within:-outline-offset-3 focus-within:outline-3 focus-within:outline-focus">
      {/* The select says it to those who read on. */}
      <span id={nameId} className="sr-only" hidden={!readOnly}>
        {country && `${country.name} +${country.dialCode}`}
      </span>
      <CountryFlag country={country} />
      <span aria-hidden="true" className="min-w-8 text-ink">
        {country ? `+${country.dialCode}` : ""}
      </span>
      {!readOnly && (
        <>
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
        </>
      )}
    </div>
  );
}

/**
 * Australia's flag, simplified for 24 by 16 pixels: its stars are dots. The library's drawing is two and a half times as long,
 * and this is the only flag in the form's bundle.
 */
const defaultFlag =
  '<svg viewBox="0 0 24 16"><path fill="#00247d" d="M0 0h12v8H0z"/><g fill="none" stroke="#fff"><path stroke-width="1.8" d="m0 0 12 8m0-8L0 8"/><path stroke="#cf142b" stroke-width=".8" d="m0 0 12 8m0-8L0 8"/><path stroke-width="2.8" d="M6 0v8M0 4h12"/><path stroke="#cf142b" stroke-width="1.6" d="M6 0v8M0 4h12"/></g><path fill="#00247d" d="M12 0h12v16H0V8h12z"/><g stroke="#fff" stroke-linecap="round"><path stroke-width="2.6" d="M6 12h0"/><path stroke-width="1.4" d="M18 2.8h0m0 10.2h0M15.2 7h0m5.6-1.2h0m-1.6 2.9h0"/></g></svg>';

/** Only the default country's flag is in the form's bundle. */
const loadOtherFlags = () => import("./other-flags");

/**
 * The flag is an SVG, because Windows shows flag emoji as letters. It is inline, because the browser creates a separate
 * document for an SVG in <img>, which takes a cheap phone as long as rendering the rest of the field.
 */
function CountryFlag({ country }: { country: Country | null }) {
  const isDefault = country?.code === defaultCountry;
  const others = useOnDemand(loadOtherFlags, country !== null && !isDefault);
  // Until the drawing is loaded, the dial code beside it is enough.
  const drawing = isDefault ? defaultFlag : others?.otherFlags[country?.code ?? ""];
  return (
    <svg
      aria-hidden="true"
      className="h-4 w-6 shrink-0 overflow-clip rounded-[2px] bg-line ring-1 ring-line"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: a drawing of the library or this folder, shapes only
      dangerouslySetInnerHTML={{ __html: drawing ?? "" }}
    />
  );
}
