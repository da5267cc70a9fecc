/** Calls `listener` on each of these events of the window. Returns a function that ends this. */
export function onWindow(types: readonly string[], listener: (event: Event) => void): () => void {
  for (const type of types) window.addEventListener(type, listener);
  return () => {
    for (const type of types) window.removeEventListener(type, listener);
  };
}

/** Runs an action once the page is on the screen: not in a background tab, nor prerendered. Returns a function that ends this. */
export function onceVisible(action: () => void): () => void {
  const run = () => {
    if (document.visibilityState !== "visible") return;
    end();
    action();
  };
  const end = onWindow(["visibilitychange"], run);
  run();
  return end;
}

declare global {
  interface Document {
    /** Only Chromium prerenders pages. */
    prerendering?: boolean;
  }
}

/** Resolves once the person opens a page that the browser has prerendered. */
export function activation(): Promise<unknown> {
  return new Promise((resolve) => document.addEventListener("prerenderingchange", resolve, { once: true }));
}
