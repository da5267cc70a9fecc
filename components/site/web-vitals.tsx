"use client";

import { useEffect } from "react";

/** Loads the measurement script once the page has loaded and is painted, so that nobody waits for it. */
export function WebVitals() {
  useEffect(() => {
    const painted = new PerformanceObserver((list) => {
      if (list.getEntriesByName("first-contentful-paint").length === 0) return;
      painted.disconnect();
      void import("@/lib/client/web-vitals").then(
        ({ reportWebVitals }) => reportWebVitals(),
        () => {},
      );
    });
    const awaitPaint = () => painted.observe({ type: "paint", buffered: true });
    if (document.readyState === "complete") awaitPaint();
    else window.addEventListener("load", awaitPaint, { once: true });
    return () => {
      window.removeEventListener("load", awaitPaint);
      painted.disconnect();
    };
  }, []);
  return null;
}
