"use client";

import { useLayoutEffect } from "react";
import { useBrand } from "./brand-context";

/**
 * Sets document.title, with 'Error: ' in front where the screen has one. Next sets the page's metadata title again at some
 * time after rendering, so an observer puts this one back.
 */
export function useWindowTitle(title: string, hasError = false): void {
  const { product } = useBrand();
  // document.title collapses spaces when read. Without the same here, the comparison would never match and the observer loop.
  const wanted = `${hasError ? "Error: " : ""}${title} – ${product}`.replace(/\s+/g, " ");
  useLayoutEffect(() => {
    const setTitle = () => {
      if (document.title !== wanted) document.title = wanted;
    };
    setTitle();
    // Changes the text of Next's <title>: hydration could take a second element for its own and remove it twice.
    const observer = new MutationObserver(setTitle);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [wanted]);
}
