import { useEffect } from "react";

const gestures = ["touchend", "mousedown", "keydown"];

/**
 * Blocks Back: on popstate the current entry is pushed again (specification, section 2). Browsers let Back skip entries
 * that were pushed without a gesture, so the first gesture after a push pushes once more.
 */
export function useBlockedBack(active: boolean): void {
  useEffect(() => {
    if (!active) return;
    let isGestured = false;
    const push = () => window.history.pushState(window.history.state, "", window.location.href);
    const stay = () => {
      isGestured = false;
      push();
    };
    const hold = () => {
      if (!isGestured) push();
      isGestured = true;
    };
    stay();
    window.addEventListener("popstate", stay);
    for (const gesture of gestures) window.addEventListener(gesture, hold);
    return () => {
      window.removeEventListener("popstate", stay);
      for (const gesture of gestures) window.removeEventListener(gesture, hold);
    };
  }, [active]);
}
