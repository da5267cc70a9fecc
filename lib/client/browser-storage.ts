/** The two keys that the specification names (section 3, "Client storage"). Private modes may refuse storage: then nothing is kept. */
const keys = { token: "auth_token", source: "auth_source" } as const;

function attempt<T>(action: () => T, otherwise: T): T {
  try {
    return action();
  } catch {
    return otherwise;
  }
}

export function storedToken(): string | null {
  return attempt(() => localStorage.getItem(keys.token), null);
}

export function storedSource(): string {
  return attempt(() => localStorage.getItem(keys.source) ?? "", "");
}

export function forgetToken(): void {
  attempt(() => localStorage.removeItem(keys.token), undefined);
}

/** The script that keeps both keys before the first paint, so that a tap on a link finds its session on the next page. */
export function storageScript({ token, source }: { token: string | null; source: string | null }): string {
  const entries = [
    [keys.token, token],
    [keys.source, source],
  ].filter(([, value]) => value !== null);
  // Values are URL-safe by the time they get here; the escape keeps a stray '<' from ending the script all the same.
  const list = JSON.stringify(entries).replace(/</g, "\\u003c");
  return `try{for(const[k,v]of ${list})localStorage.setItem(k,v)}catch{}`;
}
