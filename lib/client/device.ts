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

/** navigator.cookieEnabled can be wrong, so this sets a cookie and reads it back. */
function takesCookies() {
  return attempt(() => {
    // biome-ignore lint/suspicious/noDocumentCookie: older phones have no Cookie Store
    document.cookie = `${probe}=on; SameSite=Lax`;
    const isOn = document.cookie.includes(`${probe}=on`);
    // biome-ignore lint/suspicious/noDocumentCookie: older phones have no Cookie Store
    document.cookie = `${probe}=; Max-Age=0`;
    return isOn;
  });
}

function takesStorage() {
  return attempt(() => {
    localStorage.setItem(probe, "on");
    localStorage.removeItem(probe);
    return true;
  });
}

/** Which kinds of storage this browser allows, and whether it stores a token and drafts. */
export function inspectDevice() {
  return {
    cookies: takesCookies(),
    storage: takesStorage(),
    token: attempt(() => localStorage.getItem(tokenKey) !== null),
    drafts: removeOldDrafts(),
  };
}
