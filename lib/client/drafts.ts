import { type ApplicationAnswers, defaultAnswers } from "@/lib/domain/application";
import { countries } from "@/lib/domain/phone";
import { attempt, pageToken } from "./browser-storage";
import { draftKey, draftPrefix } from "./forget-drafts";

type AnswerName = keyof ApplicationAnswers;

/**
 * Answers typed but not saved yet, in localStorage under the application's reference: they survive a reload, a crash of
 * the tab, an hour offline, and a link that expired until a new one opens the same application. Removed on submission.
 */
interface Draft {
  /** Each unsaved answer, with the saved value at the time of typing. */
  answers: Partial<Record<AnswerName, { typed: unknown; over: unknown }>>;
  /** Picked countries by phone field: digits alone do not tell countries apart that share a dial code. */
  countries: Record<string, string>;
  /** When it was last kept, in milliseconds. */
  at: number;
}

const longestMilliseconds = 30 * 24 * 60 * 60 * 1000;

const names = Object.keys(defaultAnswers) as AnswerName[];

export function keepDraft(
  reference: string,
  answers: ApplicationAnswers,
  saved: ApplicationAnswers,
  countries: Draft["countries"],
): void {
  // Whoever removed the token from this device wants nothing kept on it.
  if (!pageToken()) return;
  const unsaved = names.filter((name) => answers[name] !== saved[name]);
  const entries = unsaved.map((name) => [name, { typed: answers[name], over: saved[name] }]);
  const draft: Draft = { answers: Object.fromEntries(entries), countries, at: Date.now() };
  const kept = draftAt(draftKey(reference));
  // As it was: then it keeps its time too, and is not written at each look at another tab.
  if (kept?.at && JSON.stringify({ ...draft, at: kept.at }) === JSON.stringify(kept)) return;
  const isEmpty = unsaved.length === 0 && Object.keys(countries).length === 0;
  attempt(() =>
    isEmpty
      ? localStorage.removeItem(draftKey(reference))
      : localStorage.setItem(draftKey(reference), JSON.stringify(draft)),
  );
}

interface Restored {
  answers: Partial<ApplicationAnswers>;
  countries: Draft["countries"];
}

function draftAt(key: string): Partial<Draft> | null {
  return attempt((): Partial<Draft> | null => JSON.parse(localStorage.getItem(key) ?? "null")) ?? null;
}

/** Removes every draft that is older than 30 days, whichever application's, and returns whether one is left. */
export function removeOldDrafts(): boolean {
  const kept = attempt(() => Object.keys(localStorage).filter((key) => key.startsWith(draftPrefix))) ?? [];
  const old = kept.filter((key) => !(Date.now() - (draftAt(key)?.at ?? 0) < longestMilliseconds));
  for (const key of old) attempt(() => localStorage.removeItem(key));
  return old.length < kept.length;
}

/** Leaves out answers whose saved value has changed since they were typed: another device has saved newer ones. */
export function restoreDraft(reference: string, saved: ApplicationAnswers): Restored {
  removeOldDrafts();
  const draft = draftAt(draftKey(reference));
  const kept = draft?.answers ?? {};
  const fitting = names.filter(
    (name) => kept[name]?.over === saved[name] && typeof kept[name]?.typed === typeof saved[name],
  );
  const picks = Object.entries(draft?.countries ?? {});
  return {
    answers: Object.fromEntries(fitting.map((name) => [name, kept[name]?.typed])),
    countries: Object.fromEntries(picks.filter(([, code]) => countries.some((country) => country.code === code))),
  };
}
