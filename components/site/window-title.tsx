"use client";

import { useLayoutEffect } from "react";
import { useBrand } from "./brand-context";

/**
 * Names the window, from the first moment to the last; an error is the first word of it. Next sets the page's own title
 * again, some time after the screen has shown and whenever it likes: then this one is put back.
 */
export function useWindowTitle(title: string, hasError = false): void {
  const { product } = useBrand();
  // As document.title gives it back: a space too many would otherwise be set again for ever.
  const wanted = `${hasError ? "Error: " : ""}${title} – ${product}`.replace(/\s+/g, " ");
  useLayoutEffect(() => {
    const setTitle = () => {
      if (document.title !== wanted) document.title = wanted;
    };
    setTitle();
    // The element stays Next's: one of our own might be taken for it while the page is made live, and removed twice.
    const observer = new MutationObserver(setTitle);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [wanted]);
}

/** The same for a screen that has nothing else to do in the browser. */
export function WindowTitle({ children }: { children: string }) {
  useWindowTitle(children);
  return null;
}
