import { type Country, defaultCountry } from "@/lib/domain/phone";
import { useOnDemand } from "./use-on-demand";

/**
 * Australia's flag, simplified for 24 by 16 pixels: its stars are dots. The library's drawing is four times as long, and
 * this is the only flag in the form's bundle.
 */
const defaultFlag =
  '<svg viewBox="0 0 24 16"><path fill="#00247d" d="M0 0h12v8H0z"/><g fill="none" stroke="#fff"><path stroke-width="1.8" d="m0 0 12 8m0-8L0 8"/><path stroke="#cf142b" stroke-width=".8" d="m0 0 12 8m0-8L0 8"/><path stroke-width="2.8" d="M6 0v8M0 4h12"/><path stroke="#cf142b" stroke-width="1.6" d="M6 0v8M0 4h12"/></g><path fill="#00247d" d="M12 0h12v16H0V8h12z"/><g stroke="#fff" stroke-linecap="round"><path stroke-width="2.6" d="M6 12h0"/><path stroke-width="1.4" d="M18 2.8h0m0 10.2h0M15.2 7h0m5.6-1.2h0m-1.6 2.9h0"/></g></svg>';

/** Only the default country's flag is in the form's bundle. */
const loadOtherFlags = () => import("./other-flags");

/**
 * The flag is an SVG, because Windows shows flag emoji as letters. It is inline, because the browser creates a separate
 * document for an SVG in <img>, which takes a cheap phone as long as rendering the rest of the field.
 */
export function CountryFlag({ country }: { country: Country | null }) {
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
