import { attempt, referenceKey, sourceKey, tokenKey } from "./browser-storage";
import { draftPrefix } from "./forget-drafts";

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
