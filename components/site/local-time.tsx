"use client";

import { timeInWords } from "@/lib/domain/zone-time";
import { useBrand } from "./brand-context";

/** An ISO instant in the lender's time zone. The text names the zone, because a receipt may be read in another one. */
export function LocalTime({ instant }: { instant: string }) {
  return (
    // Node and a browser may word the same time differently. Then the server's text stays.
    <time dateTime={instant} suppressHydrationWarning>
      {timeInWords(new Date(instant), useBrand())}
    </time>
  );
}
