import { useEffect, useState } from "react";

/** What was loaded, by the function that loads it. */
const loaded = new Map<() => Promise<unknown>, unknown>();

/** Loads a module before it is needed. If its chunk cannot be loaded, `useOnDemand` tries again. */
export function preload(load: () => Promise<unknown>, onLoaded = () => {}): void {
  load().then(
    (module) => {
      loaded.set(load, module);
      onLoaded();
    },
    () => undefined,
  );
}

/** Loads a module once it is needed, and renders again. Undefined until then, and if its chunk cannot be loaded. */
export function useOnDemand<T>(load: () => Promise<T>, isNeeded: boolean): T | undefined {
  const [, renderAgain] = useState(0);
  // As rendered: another component may load it before this one's effect runs.
  const result = loaded.get(load) as T | undefined;
  const isMissing = isNeeded && result === undefined;
  useEffect(() => {
    if (isMissing) preload(load, () => renderAgain((count) => count + 1));
  }, [isMissing, load]);
  return result;
}
