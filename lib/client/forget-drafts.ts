/** Apart from the drafts themselves: the landing forgets them, and need not load how they are kept. */
const prefix = "draft_";

export function draftKey(reference: string): string {
  return prefix + reference;
}

/** Private modes may refuse storage: then nothing is kept. */
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

/** Every draft of this device: when the link they belong to is no longer valid. */
export function forgetDrafts(): void {
  attempt(() => {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
  });
}
