import { useSyncExternalStore } from "react";

const unchanging = () => () => {};

/** False on the server and while hydrating, so that what only the browser knows is rendered after both agree. */
export function useInBrowser(): boolean {
  return useSyncExternalStore(
    unchanging,
    () => true,
    () => false,
  );
}
