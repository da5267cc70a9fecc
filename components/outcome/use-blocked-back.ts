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
    const stay = () => {
      hadGesture = false;
      push();
    };
    const pushOnGesture = () => {
      if (!hadGesture) push();
      hadGesture = true;
    };
    stay();
    const endStay = onWindow(["popstate"], stay);
    const endPush = onWindow(["touchend", "mousedown", "keydown"], pushOnGesture);
    return () => {
      endStay();
      endPush();
    };
  }, [active]);
}
