/** Whether the device says that it is connected; it may be wrong when it says yes. */
export function isConnected(): boolean {
  return navigator.onLine;
}

export function onConnectionChange(listener: () => void): () => void {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}
