/**
 * The keys of the specification (section 3, "Client storage"). sessionStorage has them too, for a link that is not verified yet
 * (opening-script.ts).
 */
export const tokenKey = "auth_token";
export const sourceKey = "auth_source";
/** The reference of the token's application, so that the page can say when a link has opened another application. */
export const referenceKey = "auth_reference";
/** The reference of the application that a link to another one has replaced, until the notice about it is dismissed. */
export const replacedKey = "auth_replaced";

/**
 * The session that this page was opened with, set by its inline script (opening-script.ts). A page keeps its own token: a link
 * opened in another tab replaces the stored token, and this page must not save to that link's application.
 */
export interface Opened {
  token: string | null;
  source: string | null;
  /** The token is in localStorage too. Private modes and in-app browsers may refuse that. Then only this page has it. */
  kept?: boolean;
  /** Drafts that the device refuses to store (draft-storage.ts). They last as long as the page. */
  drafts?: Record<string, string>;
  /** A link that was tapped before the page's scripts had loaded, if another page would not find the session. */
  tapped?: HTMLElement | null;
}

/** The key of a draft (draft-storage.ts) is this prefix and the application's reference. */
export const draftPrefix = "draft_";

declare global {
  interface Window {
    opened?: Opened;
    /** The refused token, only in the page's memory. /un-authorized can request a fresh link with it. */
    refused?: string | null;
  }
}

/** Runs an action on localStorage, which may throw or be null. Undefined if it fails. */
export function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}

/** The session of this page. If its inline script has found none, or this page has dropped it, the stored one. */
export function openedSession(): Opened {
  if (!window.opened?.token) {
    const [token = null, source = null] =
      attempt(() => [tokenKey, sourceKey].map((key) => localStorage.getItem(key))) ?? [];
    window.opened = { ...window.opened, token, source, kept: true };
  }
  return window.opened as Opened;
}

/**
 * This page's token. Null if it has been removed from the device since, because this page must not use it then either. A
 * different stored token, or storage that cannot be read, changes nothing.
 */
export function pageToken(): string | null {
  const { token, kept } = openedSession();
  return kept && attempt(() => localStorage.getItem(tokenKey)) === null ? null : token;
}

export function pageSource(): string {
  return openedSession().source ?? "";
}

/** False if only this page has its token. */
export function isTokenStored(): boolean {
  return openedSession().kept === true;
}

/** False if what is typed now lasts only as long as this page. The device's storage may also be full. */
export function areDraftsStored(): boolean {
  return isTokenStored() && openedSession().drafts === undefined;
}

/** Stores this page's token. Called only after the server has verified it. */
export function storeSession(reference: string, source: string): void {
  const opened = openedSession();
  attempt(() => {
    const stored = localStorage.getItem(tokenKey);
    if (opened.kept && stored !== opened.token) return;
    const previous = localStorage.getItem(referenceKey);
    if (stored && previous && previous !== reference) localStorage.setItem(replacedKey, previous);
    localStorage.setItem(tokenKey, opened.token ?? "");
    localStorage.setItem(sourceKey, source);
    localStorage.setItem(referenceKey, reference);
    opened.kept = true;
    sessionStorage.removeItem(tokenKey);
  });
}

/** The application that this link has replaced on the device, or null on the page of any other application. */
export function replacedReference(reference: string): string | null {
  const stored = attempt(() => [referenceKey, replacedKey].map((key) => localStorage.getItem(key))) ?? [];
  const [current, replaced = null] = stored;
  return current === reference && replaced !== reference ? replaced : null;
}

export function dismissReplaced(): void {
  attempt(() => localStorage.removeItem(replacedKey));
}

/** Drops this page's token after the server has refused it. A token that another link has stored stays. */
export function dropToken(): void {
  const token = window.opened?.token;
  // A token that was removed from the device must not be used again, and pageToken() returns null for it.
  if (token) window.refused = pageToken();
  window.opened = undefined;
  attempt(() => {
    for (const storage of [sessionStorage, localStorage]) {
      if (!token || storage.getItem(tokenKey) !== token) continue;
      storage.removeItem(tokenKey);
      storage.removeItem(referenceKey);
      storage.removeItem(replacedKey);
    }
  });
}

export function forgetDraft(reference: string): void {
  delete openedSession().drafts?.[draftPrefix + reference];
  attempt(() => localStorage.removeItem(draftPrefix + reference));
}

/** In sessionStorage if the application that this tab has shown last was declined. */
const declinedKey = "declined";

export function rememberDecline(isDeclined: boolean): void {
  attempt(() => (isDeclined ? sessionStorage.setItem(declinedKey, "yes") : sessionStorage.removeItem(declinedKey)));
}

export function isDeclineRemembered(): boolean {
  return attempt(() => sessionStorage.getItem(declinedKey) !== null) ?? false;
}
