import { unauthorizedPath } from "@/lib/domain/journey";
import { attempt, tokenKey } from "./browser-storage";
import { removeOldDrafts } from "./stored-drafts";

/**
 * Removes everything that this device stores: the session and every draft. The application on the server is unchanged. Where
 * the browser stores nothing, only the page has them, and Back can return to the page.
 */
export function forgetDevice(): void {
  window.opened = undefined;
  attempt(() => sessionStorage.clear());
  attempt(() => localStorage.clear());
}

const probe = "probe";

/** Whether another tab has removed everything that this device stores: a storage event without a key. */
export const isDeviceForgotten = (event: Event) => event instanceof StorageEvent && event.key === null;

/** Leaves for a new document, so that nothing stays in the memory of this one either. */
export function forgetPage(): void {
  window.opened = undefined;
  window.location.replace(`${unauthorizedPath}?forgotten`);
}

/** navigator.cookieEnabled can be wrong, so this sets a cookie and reads it back. */
function allowsCookies() {
  return attempt(() => {
    // biome-ignore lint/suspicious/noDocumentCookie: older phones have no Cookie Store
    document.cookie = `${probe}=on; SameSite=Lax`;
    const isOn = document.cookie.includes(`${probe}=on`);
    // biome-ignore lint/suspicious/noDocumentCookie: older phones have no Cookie Store
    document.cookie = `${probe}=; Max-Age=0`;
    return isOn;
  });
}

function allowsStorage() {
  return attempt(() => {
    localStorage.setItem(probe, "on");
    localStorage.removeItem(probe);
    return true;
  });
}

/** Which kinds of storage this browser allows, and whether it stores a token and drafts. */
export function inspectDevice() {
  return {
    cookies: allowsCookies(),
    storage: allowsStorage(),
    token: attempt(() => localStorage.getItem(tokenKey) !== null),
    drafts: removeOldDrafts(),
  };
}
