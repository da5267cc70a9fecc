"use client";

import { useSyncExternalStore } from "react";

const unchanging = () => () => {};

interface LocalTimeProps {
  /** An ISO instant. */
  instant: string;
  locale: string;
}

/** An instant in the reader's time zone. The server does not know it, so it renders an empty line of the same height. */
export function LocalTime({ instant, locale }: LocalTimeProps) {
  const text = useSyncExternalStore(
    unchanging,
    () => new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "short" }).format(new Date(instant)),
    () => "\u00a0",
  );
  return <time dateTime={instant}>{text}</time>;
}
