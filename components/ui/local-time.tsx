"use client";

import { longTimeIn, type Place } from "@/lib/domain/zone-time";
import { useInBrowser } from "./use-in-browser";

interface LocalTimeProps {
  /** An ISO instant. */
  instant: string;
  /** On whose clock: the lender's. */
  place: Place;
}

/** An instant, with the zone's name. The server may write it otherwise, so it renders an empty line of the same height. */
export function LocalTime({ instant, place }: LocalTimeProps) {
  return <time dateTime={instant}>{useInBrowser() ? longTimeIn(new Date(instant), place) : "\u00a0"}</time>;
}
