/** The keys of the specification (section 3, "Client storage"). Private modes may refuse storage; then nothing is stored. */
export const tokenKey = "auth_token";
export const sourceKey = "auth_source";

function attempt<T>(action: () => T, otherwise: T): T {
  try {
    return action();
  } catch {
    return otherwise;
  }
}

/** Read once per page: a link opened in another tab replaces the stored token, and this page must not save to its application. */
let token: string | null = null;

export function storedToken(): string | null {
  token ??= attempt(() => localStorage.getItem(tokenKey), null);
  return token;
}

export function forgetToken(): void {
  token = null;
  attempt(() => localStorage.removeItem(tokenKey), undefined);
}

/** Calls back when another tab has stored another token, which the next read returns. */
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
 * Inline script that stores the link's token and source before the first paint, so that a tap before hydration finds its
 * session on the next page. Null leaves what is stored; an empty source removes it.
 */
export function storageScript(keep: { token: string | null; source: string | null }): string {
  const entries = [
    [tokenKey, keep.token],
    [sourceKey, keep.source],
  ].filter(([, value]) => value !== null);
  // Escapes '<': a token such as '</script>' must not end the inline script.
  const list = JSON.stringify(entries).replace(/</g, "\\u003c");
  return `try{for(const[k,v]of ${list})v?localStorage.setItem(k,v):localStorage.removeItem(k)}catch{}`;
}
