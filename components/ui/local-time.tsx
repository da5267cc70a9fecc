"use client";

import { useSyncExternalStore } from "react";

const unchanging = () => () => {};

/** With the zone, since a receipt may be read in another one. */
const style = {
  year: "numeric",
  month: "long",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
  timeZoneName: "short",
} as const;

interface LocalTimeProps {
  /** An ISO instant. */
  instant: string;
  locale: string;
}

/**
 * An instant in the reader's time zone, which it names. The server does not know the zone, so it renders an empty line of
 * the same height.
 */
export function LocalTime({ instant, locale }: LocalTimeProps) {
  const text = useSyncExternalStore(
    unchanging,
    () => new Intl.DateTimeFormat(locale, style).format(new Date(instant)),
    () => "\u00a0",
  );
  return <time dateTime={instant}>{text}</time>;
}
