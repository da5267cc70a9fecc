/** The keys of the specification (section 3, "Client storage"). */
export const tokenKey = "auth_token";
export const sourceKey = "auth_source";
/** Whose token it is, so that a link to another application can say so. */
export const referenceKey = "auth_reference";

/**
 * What this page was opened with. A page keeps its token: a link opened in another tab replaces the stored one, and this
 * page must not save to that link's application. Set by the page's own inline script (opening-script.ts).
 */
export interface Opened {
  token: string | null;
  source: string | null;
  /** The token is in localStorage too. Private modes and in-app browsers may refuse that; then it lives in this page alone. */
  kept?: boolean;
  /** The reference of the other application that was stored until this link was opened. */
  before?: string;
  /** Drafts that the device refuses to store (drafts.ts): they live as long as the page. */
  drafts?: Record<string, string>;
  /** A link tapped before the page's scripts had loaded, where another page would not find the session. */
  tapped?: HTMLElement | null;
}

/** Followed by the application's reference: answers typed and not saved (drafts.ts). */
export const draftPrefix = "draft_";

declare global {
  interface Window {
    opened?: Opened;
    /** What this page was refused with, in its memory alone: /un-authorized can ask for a fresh link with it. */
    refused?: string | null;
  }
}

/** localStorage may throw, or be null. */
export function attempt<T>(action: () => T): T | undefined;
export function attempt<T>(action: () => T, otherwise: T): T;
export function attempt<T>(action: () => T, otherwise?: T): T | undefined {
  try {
    return action();
  } catch {
    return otherwise;
  }
}

export function page(): Opened {
  if (!window.opened?.token) {
    const [token = null, source = null] =
      attempt(() => [tokenKey, sourceKey].map((key) => localStorage.getItem(key))) ?? [];
    window.opened = { ...window.opened, token, source, kept: true };
  }
  return window.opened as Opened;
}

/**
 * This page's token. Null when it was removed from the device since: then it must not be used here either. Another token
 * in its place, or storage that cannot be read, changes nothing.
 */
export function pageToken(): string | null {
  const { token, kept } = page();
  return kept && attempt(() => localStorage.getItem(tokenKey), token) === null ? null : token;
}

export function pageSource(): string {
  return page().source ?? "";
}

/** False where this page alone knows its token, and nothing that is typed can be kept. */
export function isKept(): boolean {
  return page().kept === true;
}

/** The server has verified this page's token: only now it is stored. */
export function keepSession(reference: string, source: string): void {
  const own = page();
  attempt(() => {
    const stored = localStorage.getItem(tokenKey);
    if (own.kept && stored !== own.token) return;
    const before = localStorage.getItem(referenceKey);
    if (stored && before && before !== reference) own.before = before;
    localStorage.setItem(tokenKey, own.token ?? "");
    localStorage.setItem(sourceKey, source);
    localStorage.setItem(referenceKey, reference);
    own.kept = true;
  });
}

/** This page's token was refused. A token that another link has stored stays. */
export function dropToken(): void {
  const token = window.opened?.token;
  // Not one that somebody has removed from the device.
  if (token) window.refused = pageToken();
  window.opened = undefined;
  attempt(() => {
    if (!token || localStorage.getItem(tokenKey) !== token) return;
    localStorage.removeItem(tokenKey);
    localStorage.removeItem(referenceKey);
  });
}

export function forgetDraft(reference: string): void {
  delete page().drafts?.[draftPrefix + reference];
  attempt(() => localStorage.removeItem(draftPrefix + reference));
}
