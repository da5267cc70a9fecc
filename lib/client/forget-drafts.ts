/** A module of its own: the landing removes drafts and should not load the code that writes them. */
const prefix = "draft_";

export function draftKey(reference: string): string {
  return prefix + reference;
}

/** Private modes may refuse storage; then nothing is stored. */
export function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}

export function forgetDraft(reference: string): void {
  attempt(() => localStorage.removeItem(draftKey(reference)));
}

/** Removes every draft on this device. Called when the link is no longer valid. */
export function forgetDrafts(): void {
  attempt(() => {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
  });
}
