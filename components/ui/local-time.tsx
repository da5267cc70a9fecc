"use client";

import { useSyncExternalStore } from "react";

const unchanging = () => () => {};

interface LocalTimeProps {
  /** An ISO instant. */
  instant: string;
  locale: string;
}

/** An instant in the reader's own time zone, which the server cannot know: there it leaves the line empty but standing. */
export function LocalTime({ instant, locale }: LocalTimeProps) {
  const text = useSyncExternalStore(
    unchanging,
    () => new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "short" }).format(new Date(instant)),
    () => "\u00a0",
  );
  return <time dateTime={instant}>{text}</time>;
}
