/** navigator.onLine: false is reliable, true may be wrong. */
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
