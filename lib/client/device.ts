import { attempt, draftPrefix, referenceKey, sourceKey, tokenKey } from "./browser-storage";
import { removeOldDrafts } from "./drafts";

const sessionKeys = [tokenKey, sourceKey, referenceKey];

/** Removes everything that this device stores: the session and every draft. The application on the server is unchanged. */
export function forgetDevice(): void {
  attempt(() => {
    for (const storage of [sessionStorage, localStorage]) {
      const keys = Object.keys(storage).filter((key) => sessionKeys.includes(key) || key.startsWith(draftPrefix));
      for (const key of keys) storage.removeItem(key);
    }
  });
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
