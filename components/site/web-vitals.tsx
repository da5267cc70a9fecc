"use client";

import { useEffect } from "react";

/** Loads the measurement script once the page has loaded and is painted, so that nobody waits for it. */
export function WebVitals() {
  useEffect(() => {
    const load = () =>
      void import("@/lib/client/web-vitals").then(
        ({ reportWebVitals }) => reportWebVitals(),
        () => {},
      );
    const afterPaint = () => requestAnimationFrame(() => setTimeout(load));
    if (document.readyState === "complete") afterPaint();
    else window.addEventListener("load", afterPaint, { once: true });
    return () => window.removeEventListener("load", afterPaint);
  }, []);
  return null;
}
