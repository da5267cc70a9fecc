import { type ApplicationAnswers, defaultAnswers } from "@/lib/domain/application";
import { countries } from "@/lib/domain/phone";
import { attempt, draftKey } from "./forget-drafts";

type AnswerName = keyof ApplicationAnswers;

/**
 * Answers typed but not saved yet, in localStorage under the application's reference: they survive a reload, a crash of
 * the tab and an hour offline. Removed on submission and when the link is no longer valid.
 */
interface Draft {
  /** Each unsaved answer, with the saved value at the time of typing. */
  answers: Partial<Record<AnswerName, { typed: unknown; over: unknown }>>;
  /** Picked countries by phone field: digits alone do not tell countries apart that share a dial code. */
  countries: Record<string, string>;
}

const names = Object.keys(defaultAnswers) as AnswerName[];

export function keepDraft(
  reference: string,
  answers: ApplicationAnswers,
  saved: ApplicationAnswers,
  countries: Draft["countries"],
): void {
  const unsaved = names.filter((name) => answers[name] !== saved[name]);
  const entries = unsaved.map((name) => [name, { typed: answers[name], over: saved[name] }]);
  const draft: Draft = { answers: Object.fromEntries(entries), countries };
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

/** Leaves out answers whose saved value has changed since they were typed: another device has saved newer ones. */
export function restoreDraft(reference: string, saved: ApplicationAnswers): Restored {
  const draft = attempt((): Partial<Draft> | null => JSON.parse(localStorage.getItem(draftKey(reference)) ?? "null"));
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
