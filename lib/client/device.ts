import { unauthorizedPath } from "@/lib/domain/journey";
import { attempt, tokenKey } from "./browser-storage";
import { removeOldDrafts } from "./draft-expiry";

const probe = "probe";

/** Whether another tab has removed everything that this device stores: a storage event without a key. */
export const isDeviceForgotten = (event: Event) => event instanceof StorageEvent && event.key === null;

/**
 * Leaves for a new document, so that nothing stays in the memory of this one either. Where the browser stores nothing, only the
 * page has the session and the drafts, and Back can return to the page.
 */
export function forgetPage(): void {
  window.opened = undefined;
  window.location.replace(`${unauthorizedPath}?forgotten`);
}

/** Removes everything that this device stores: the session and every draft. The application on the server is unchanged. */
export function forgetDevice(): void {
  attempt(() => sessionStorage.clear());
  attempt(() => localStorage.clear());
  forgetPage();
}

/** Which kinds of storage this browser allows, and whether it stores a token and drafts. */
export function inspectDevice() {
  return {
    // navigator.cookieEnabled can be wrong, so this sets a cookie and reads it back.
    cookies: attempt(() => {
      // biome-ignore lint/suspicious/noDocumentCookie: older phones have no Cookie Store
      document.cookie = `${probe}=on; SameSite=Lax`;
      const isOn = document.cookie.includes(`${probe}=on`);
      // biome-ignore lint/suspicious/noDocumentCookie: older phones have no Cookie Store
      document.cookie = `${probe}=; Max-Age=0`;
      return isOn;
    }),
    storage: attempt(() => {
      localStorage.setItem(probe, "on");
      localStorage.removeItem(probe);
      return true;
    }),
    token: attempt(() => localStorage.getItem(tokenKey) !== null),
    drafts: removeOldDrafts(),
  };
}
