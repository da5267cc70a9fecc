import { useEffect, useState } from "react";

/** True after a reload. A second one is unlikely to help, and could loop. */
function isReloaded(): boolean {
  return performance.getEntriesByType("navigation").some((entry) => "type" in entry && entry.type === "reload");
}

/**
 * A chunk can fail to load on a weak network, or because a deployment replaced it. Reloading the page fetches the current
 * chunks, so reload once. Returns whether it does.
 */
export function useAnotherLoad(error: Error): boolean {
  const [loads] = useState(() => error.name === "ChunkLoadError" && navigator.onLine && !isReloaded());
  useEffect(() => {
    if (loads) window.location.reload();
  }, [loads]);
  return loads;
}
