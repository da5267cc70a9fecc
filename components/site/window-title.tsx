"use client";

import { useLayoutEffect } from "react";
import { useBrand } from "./brand-context";

/**
 * Sets document.title, with the prefix 'Error: ' if the screen shows an error. Next sets the page's metadata title again at
 * some time after rendering, so an observer restores this one.
 */
export function useWindowTitle(title: string, hasError = false): void {
  const { product } = useBrand();
  // document.title collapses spaces when read. Without the same here, it would never match, and the observer would loop.
  const fullTitle = `${hasError ? "Error: " : ""}${title} – ${product}`.replace(/\s+/g, " ");
  useLayoutEffect(() => {
    const setTitle = () => {
      if (document.title !== fullTitle) document.title = fullTitle;
    };
    setTitle();
    // Setting document.title changes Next's own <title>. A second element could confuse hydration, which would remove it twice.
    const observer = new MutationObserver(setTitle);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [fullTitle]);
}
