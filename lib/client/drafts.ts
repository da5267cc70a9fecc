import { type ApplicationAnswers, defaultAnswers } from "@/lib/domain/application";
import { countries } from "@/lib/domain/phone";
import { attempt, draftPrefix, page, pageToken } from "./browser-storage";

type AnswerName = keyof ApplicationAnswers;

/**
 * Answers typed but not saved yet, in localStorage under the application's reference: they survive a reload, a crash of
 * the tab, an hour offline, and a link that expired until a new one opens the same application. Removed on submission.
 */
interface StoredDraft {
  /** Each unsaved answer, with the saved value at the time of typing. */
  answers: Partial<Record<AnswerName, { typed: unknown; over: unknown }>>;
  /** Picked countries by phone field: countries may share a dial code. */
  countries: Record<string, string>;
  /** When it was last stored, in milliseconds. */
  at: number;
}

/** A draft that fits the saved answers. */
export interface Draft {
  answers: Partial<ApplicationAnswers>;
  countries: Record<string, string>;
}

/** Short, since others may use the device as well; the form says so. */
export const draftDays = 7;
const longestMilliseconds = draftDays * 24 * 60 * 60 * 1000;
const names = Object.keys(defaultAnswers) as AnswerName[];

/** The draft as it is stored: equal texts are equal drafts. */
export function storedDraft(reference: string): string | null {
  const key = draftPrefix + reference;
  return page().drafts?.[key] ?? attempt(() => localStorage.getItem(key), null);
}

function parsed(text: string | null): Partial<StoredDraft> | null {
  return attempt((): Partial<StoredDraft> | null => JSON.parse(text ?? "null"), null);
}

function isOld(draft: Partial<StoredDraft> | null): boolean {
  return !(Date.now() - (draft?.at ?? 0) < longestMilliseconds);
}

/** Without answers whose saved value has changed since they were typed: another device has saved newer ones. */
export function readDraft(reference: string, saved: ApplicationAnswers): Draft {
  const stored = parsed(storedDraft(reference));
  const draft = isOld(stored) ? null : stored;
  const answers = draft?.answers ?? {};
  const fitting = names.filter(
    (name) => answers[name]?.over === saved[name] && typeof answers[name]?.typed === typeof saved[name],
  );
  const picks = Object.entries(draft?.countries ?? {});
  return {
    answers: Object.fromEntries(fitting.map((name) => [name, answers[name]?.typed])),
    countries: Object.fromEntries(picks.filter(([, code]) => countries.some((country) => country.code === code))),
  };
}

/** Stores what of the draft differs from the saved answers; removes it where nothing does. */
export function writeDraft(reference: string, { answers, countries }: Draft, saved: ApplicationAnswers): void {
  const key = draftPrefix + reference;
  const unsaved = names.filter((name) => name in answers && answers[name] !== saved[name]);
  const entries = unsaved.map((name) => [name, { typed: answers[name], over: saved[name] }]);
  const draft: StoredDraft = { answers: Object.fromEntries(entries), countries, at: Date.now() };
  const text = entries.length > 0 || Object.keys(countries).length > 0 ? JSON.stringify(draft) : null;
  const isStored = attempt(() => {
    if (text === null) localStorage.removeItem(key);
    // Whoever removed the token from this device wants nothing stored on it.
    else if (pageToken()) localStorage.setItem(key, text);
    else return false;
    return true;
  }, false);
  page().drafts = isStored || text === null ? undefined : { [key]: text };
}

/** A storage event comes from another tab only, so this one's undo and its saves dispatch their own. */
const changed = "rent-advance:draft";

/** For drafts that changed otherwise than by typing in this tab. */
export function draftChanged(): void {
  window.dispatchEvent(new Event(changed));
}

export function onDraftChange(listener: () => void): () => void {
  window.addEventListener("storage", listener);
  window.addEventListener(changed, listener);
  return () => {
    window.removeEventListener("storage", listener);
    window.removeEventListener(changed, listener);
  };
}

/** Removes every draft that is too old, whichever application's, and returns whether one is left. */
export function removeOldDrafts(): boolean {
  const stored = attempt(() => Object.keys(localStorage).filter((key) => key.startsWith(draftPrefix))) ?? [];
  const old = stored.filter((key) => isOld(parsed(attempt(() => localStorage.getItem(key), null))));
  for (const key of old) attempt(() => localStorage.removeItem(key));
  return old.length < stored.length;
}
