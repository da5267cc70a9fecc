import { useEffect, useState } from "react";

/** Whether this page is one that was loaded again already: then once more would hardly help. */
function isReloaded(): boolean {
  return performance.getEntriesByType("navigation").some((entry) => "type" in entry && entry.type === "reload");
}

/**
 * Scripts that did not come, over a weak network or because there is a newer version by now, come with the page itself: it
 * is loaded again, once. Tells whether it is.
 */
export function useAnotherLoad(error: Error): boolean {
  const [loads] = useState(() => error.name === "ChunkLoadError" && navigator.onLine && !isReloaded());
  useEffect(() => {
    if (loads) window.location.reload();
  }, [loads]);
  return loads;
}
