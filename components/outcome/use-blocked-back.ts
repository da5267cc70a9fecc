import { useEffect } from "react";
import { onWindow } from "@/lib/client/window-events";

/**
 * Blocks Back by pushing the current entry again on popstate (specification, section 2). Browsers let Back skip entries that
 * were pushed without a user gesture, so the first gesture after a push pushes once more.
 */
export function useBlockedBack(active: boolean): void {
  useEffect(() => {
    if (!active) return;
    let hadGesture = false;
    const push = () => window.history.pushState(window.history.state, "", window.location.href);
    push();
    return onWindow(["popstate", "touchend", "mousedown", "keydown"], ({ type }) => {
      const isGesture = type !== "popstate";
      if (!isGesture || !hadGesture) push();
      hadGesture = isGesture;
    });
  }, [active]);
}
