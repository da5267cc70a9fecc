import { type RefObject, useEffect, useRef } from "react";
import { useBrand } from "@/components/site/brand-context";

/** Names the screen in the window's title; an error is the first word of it. */
export function useScreenTitle(title: string, hasError = false): void {
  const { product } = useBrand();
  useEffect(() => {
    document.title = `${hasError ? "Error: " : ""}${title} – ${product}`;
  }, [title, hasError, product]);
}

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
