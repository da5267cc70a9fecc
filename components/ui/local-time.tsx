"use client";

import { timeInWords } from "@/lib/domain/zone-time";
import { useInBrowser } from "./use-in-browser";

interface LocalTimeProps {
  /** An ISO instant. */
  instant: string;
  locale: string;
  /** The lender's time zone. The text names it, because a receipt may be read in another zone. */
  timeZone: string;
}

/** An instant in the lender's time zone. A server may format it differently, so it renders an empty line of equal height. */
export function LocalTime({ instant, locale, timeZone }: LocalTimeProps) {
  const text = useInBrowser() ? timeInWords(new Date(instant), { locale, timeZone }) : "\u00a0";
  return <time dateTime={instant}>{text}</time>;
}
