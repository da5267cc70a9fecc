import { useSyncExternalStore } from "react";
import { isConnected, onConnectionChange } from "@/lib/client/connection";

/** On the server nobody is offline. */
export function useConnection(): boolean {
  return useSyncExternalStore(onConnectionChange, isConnected, () => true);
}
