"use client";

import { type ReactNode, useEffect, useRef } from "react";

/** The heading of a screen that appears by itself: it takes the focus, so that a screen reader tells what has happened. */
export function ArrivedHeading({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <h1 ref={heading} tabIndex={-1} className="font-bold text-3xl sm:text-4xl">
      {children}
    </h1>
  );
}
