import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { useBrand } from "@/components/site/brand-context";

/** Names the screen in the window's title; an error is the first word of it. */
export function useScreenTitle(title: string, hasError = false): void {
  const { product } = useBrand();
  const wanted = `${hasError ? "Error: " : ""}${title} – ${product}`;
  // A layout effect: it ends within the very commit that brings the next page's title, before the observer hears of it.
  useLayoutEffect(() => {
    const name = () => {
      if (document.title !== wanted) document.title = wanted;
    };
    name();
    // The page's own title may be streamed in after the form has shown: the screen's is the more precise one.
    const observer = new MutationObserver(name);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [wanted]);
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
