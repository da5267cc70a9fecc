import { useEffect } from "react";

/** Blocks Back: on popstate the current entry is pushed again (specification, section 2). */
export function useBlockedBack(active: boolean): void {
  useEffect(() => {
    if (!active) return;
    const stay = () => window.history.pushState(window.history.state, "", window.location.href);
    stay();
    window.addEventListener("popstate", stay);
    return () => window.removeEventListener("popstate", stay);
  }, [active]);
}
