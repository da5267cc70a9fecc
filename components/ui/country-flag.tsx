import { useEffect, useState } from "react";
import { type Country, defaultCountry } from "@/lib/domain/phone";
import { defaultFlag } from "./default-flag";

/** Only the default country's flag is in the bundle; the others are loaded when one is picked. */
const drawings: Record<string, string> = { [defaultCountry]: defaultFlag };

function useDrawing(code: string | undefined): string | undefined {
  const [, renderAgain] = useState(0);
  const missing = code !== undefined && !drawings[code];
  useEffect(() => {
    if (!missing) return;
    let mounted = true;
    // If the chunk cannot be loaded the space stays empty: the dial code beside it is enough.
    import("./other-flags").then(
      ({ otherFlags }) => {
        Object.assign(drawings, otherFlags);
        if (mounted) renderAgain((count) => count + 1);
      },
      () => undefined,
    );
    return () => {
      mounted = false;
    };
  }, [missing]);
  return code && drawings[code];
}

/**
 * SVG, since Windows shows flag emoji as letters. Inline, since the browser makes a separate document for an SVG in <img>,
 * which takes a cheap phone as long as the rest of the field.
 */
export function CountryFlag({ country }: { country: Country | null }) {
  const drawing = useDrawing(country?.code);
  return (
    <svg
      aria-hidden="true"
      className="h-4 w-6 shrink-0 overflow-clip rounded-[2px] bg-line ring-1 ring-line"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: a drawing of the library or of this folder, shapes and nothing else
      dangerouslySetInnerHTML={{ __html: drawing ?? "" }}
    />
  );
}
