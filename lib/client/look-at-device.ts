import { attempt, tokenKey } from "./browser-storage";
import { removeOldDrafts } from "./drafts";

/** What of a visit this browser keeps, and has kept. */
export interface Device {
  cookies: boolean;
  storage: boolean;
  token: boolean;
  drafts: boolean;
}

const probe = "probe";

/** By trying: navigator.cookieEnabled may be wrong. */
function takesCookies(): boolean {
  return attempt(() => {
    // biome-ignore lint/suspicious/noDocumentCookie: older phones have no Cookie Store
    document.cookie = `${probe}=on; SameSite=Lax`;
    const isOn = document.cookie.includes(`${probe}=on`);
    // biome-ignore lint/suspicious/noDocumentCookie: older phones have no Cookie Store
    document.cookie = `${probe}=; Max-Age=0`;
    return isOn;
  }, false);
}

function takesStorage(): boolean {
  return attempt(() => {
    localStorage.setItem(probe, "on");
    localStorage.removeItem(probe);
    return true;
  }, false);
}

export function lookAtDevice(): Device {
  return {
    cookies: takesCookies(),
    storage: takesStorage(),
    token: attempt(() => localStorage.getItem(tokenKey) !== null, false),
    drafts: removeOldDrafts(),
  };
}
