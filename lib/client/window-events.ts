/** Calls `listener` on each of these events of the window. Returns a function that ends this. */
export function onWindow(types: readonly string[], listener: (event: Event) => void): () => void {
  for (const type of types) window.addEventListener(type, listener);
  return () => {
    for (const type of types) window.removeEventListener(type, listener);
  };
}
