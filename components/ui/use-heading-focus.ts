import { type RefObject, useEffect, useRef } from "react";

/** On every new screen but the first, reading starts over at its heading, for eyes and for screen readers. */
export function useHeadingFocus(screen: string | number): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(screen);
  useEffect(() => {
    if (shown.current === screen) return;
    shown.current = screen;
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, [screen]);
  return heading;
}
