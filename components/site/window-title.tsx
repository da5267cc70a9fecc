"use client";

import { useLayoutEffect } from "react";
import { useBrand } from "./brand-context";

/**
 * Names the window, from the first moment: a page's own title is streamed in after it has shown, and until then Next would
 * tell screen readers its heading, which they are about to read anyway. An error is the first word of the title.
 */
export function useWindowTitle(title: string, hasError = false): void {
  const { product } = useBrand();
  const wanted = `${hasError ? "Error: " : ""}${title} – ${product}`;
  // A layout effect: it ends within the very commit that brings the next page's title, before the observer hears of it.
  useLayoutEffect(() => {
    const standIn = document.querySelector("head > title") ? null : document.createElement("title");
    if (standIn) document.head.append(standIn);
    const name = () => {
      if (document.title !== wanted) document.title = wanted;
    };
    name();
    // What is streamed in later is less precise.
    const observer = new MutationObserver(name);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => {
      observer.disconnect();
      standIn?.remove();
    };
  }, [wanted]);
}

/** The same for a screen that has nothing else to do in the browser. */
export function WindowTitle({ children }: { children: string }) {
  useWindowTitle(children);
  return null;
}
