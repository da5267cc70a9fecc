import { attempt, draftPrefix, referenceKey, sourceKey, tokenKey } from "./browser-storage";
import { removeOldDrafts } from "./drafts";

const ours = [tokenKey, sourceKey, referenceKey];

/** Whether anything typed and not saved is kept here. */
export function holdsDrafts(): boolean {
  return attempt(() => Object.keys(localStorage).some((key) => key.startsWith(draftPrefix)), false);
}

/** Removes all that this device holds: token, source and every draft. The application stays as the server has it. */
export function forgetDevice(): void {
  attempt(() => {
    for (const key of Object.keys(localStorage)) {
      if (ours.includes(key) || key.startsWith(draftPrefix)) localStorage.removeItem(key);
    }
  });
}

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
