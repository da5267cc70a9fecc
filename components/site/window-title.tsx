"use client";

import { useLayoutEffect } from "react";
import { useBrand } from "./brand-context";

/**
 * Names the window, from the first moment to the last. A page's own title is streamed in after it has shown, and between two
 * pages there is none: Next would then tell screen readers the heading, which they are about to read anyway. So the screen
 * puts one of its own before it, and the first is the one that counts. An error is the first word of it.
 */
export function useWindowTitle(title: string, hasError = false): void {
  const { product } = useBrand();
  const wanted = `${hasError ? "Error: " : ""}${title} – ${product}`;
  useLayoutEffect(() => {
    const own = document.createElement("title");
    own.textContent = wanted;
    document.head.prepend(own);
    return () => own.remove();
  }, [wanted]);
}

/** The same for a screen that has nothing else to do in the browser. */
export function WindowTitle({ children }: { children: string }) {
  useWindowTitle(children);
  return null;
}
