"use client";

import { type ReactNode, useEffect, useRef } from "react";

/** Takes the focus when it appears, at the top of the page, so that a screen reader announces the change of screen. */
export function ArrivedHeading({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1} className="font-bold text-3xl sm:text-4xl">
      {children}
    </h1>
  );
}
