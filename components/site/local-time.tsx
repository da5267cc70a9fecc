"use client";

import { useInBrowser } from "@/components/ui/use-in-browser";
import { timeInWords } from "@/lib/domain/zone-time";
import { useBrand } from "./brand-context";

/**
 * An ISO instant in the lender's time zone. The text names the zone, because a receipt may be read in another one. A server
 * may format it differently, so it renders an empty line of equal height.
 */
export function LocalTime({ instant }: { instant: string }) {
  const brand = useBrand();
  const text = useInBrowser() ? timeInWords(new Date(instant), brand) : "\u00a0";
  return <time dateTime={instant}>{text}</time>;
}
