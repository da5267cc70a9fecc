import { attempt } from "./browser-storage";

/** A module of its own: the landing removes drafts and should not load the code that writes them. */
export const draftPrefix = "draft_";

export function draftKey(reference: string): string {
  return draftPrefix + reference;
}

export function forgetDraft(reference: string): void {
  attempt(() => localStorage.removeItem(draftKey(reference)));
}
