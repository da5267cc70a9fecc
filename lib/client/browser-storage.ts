/** The two keys that the specification names (section 3, "Client storage"). Private modes may refuse storage: then nothing is kept. */
export const tokenKey = "auth_token";
export const sourceKey = "auth_source";

function attempt<T>(action: () => T, otherwise: T): T {
  try {
    return action();
  } catch {
    return otherwise;
  }
}

/** The token this page works with: read once, so that a link opened in another tab cannot slip its own under a save here. */
let token: string | null = null;

export function storedToken(): string | null {
  token ??= attempt(() => localStorage.getItem(tokenKey), null);
  return token;
}

export function forgetToken(): void {
  token = null;
  attempt(() => localStorage.removeItem(tokenKey), undefined);
}

/** Calls back when another tab has stored another token; the next read finds it. */
export function onTokenReplaced(listener: () => void): () => void {
  const heard = (event: StorageEvent) => {
    if (event.key !== tokenKey || event.newValue === token) return;
    token = null;
    listener();
  };
  window.addEventListener("storage", heard);
  return () => window.removeEventListener("storage", heard);
}

export function storedSource(): string {
  return attempt(() => localStorage.getItem(sourceKey) ?? "", "");
}

/**
 * The script that keeps what a link carried before the first paint, so that a tap before hydration finds its session on
 * the next page. Null leaves what is stored; an empty source removes it.
 */
export function storageScript(keep: { token: string | null; source: string | null }): string {
  const entries = [
    [tokenKey, keep.token],
    [sourceKey, keep.source],
  ].filter(([, value]) => value !== null);
  // The escape keeps a '<' in a hostile token from ending the script.
  const list = JSON.stringify(entries).replace(/</g, "\\u003c");
  return `try{for(const[k,v]of ${list})v?localStorage.setItem(k,v):localStorage.removeItem(k)}catch{}`;
}
