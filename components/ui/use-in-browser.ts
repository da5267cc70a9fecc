import { useSyncExternalStore } from "react";

const noSubscription = () => () => {};

/** False on the server and during hydration, so that the first render in the browser matches the server's markup. */
export function useInBrowser(): boolean {
  return useSyncExternalStore(
    noSubscription,
    () => true,
    () => false,
  );
}
