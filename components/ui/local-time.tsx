"use client";

import { timeInWords } from "@/lib/domain/zone-time";
import { useInBrowser } from "./use-in-browser";

interface LocalTimeProps {
  /** An ISO instant. */
  instant: string;
  locale: string;
  /** The lender's, which the text names: a receipt is read in other zones as well. */
  timeZone: string;
}

/** An instant on the lender's clock. A server may write it otherwise, so it renders an empty line of the same height. */
export function LocalTime({ instant, locale, timeZone }: LocalTimeProps) {
  const text = useInBrowser() ? timeInWords(new Date(instant), { locale, timeZone }) : "\u00a0";
  return <time dateTime={instant}>{text}</time>;
}
