import { type AnswerName, type ApplicationAnswers, answerNames } from "@/lib/domain/application";
import { countries } from "@/lib/domain/phone";
import { attempt, draftPrefix, page, pageToken } from "./browser-storage";

/**
 * Answers that were typed but not saved, in localStorage under the application's reference. They survive a reload, a crash of
 * the tab, an hour offline, and an expired link until a new one opens the same application. A submission removes them.
 */
interface StoredDraft {
  /** Each unsaved answer, with the saved value at the time of typing. */
  answers: Partial<Record<AnswerName, { typed: unknown; over: unknown }>>;
  /** The chosen country of each phone field, because countries may share a dial code. */
  countries: Record<string, string>;
  /** When the draft was last stored, in milliseconds since 1970. */
  at: number;
}

/** The part of a draft that still applies to the saved answers. */
export interface Draft {
  answers: Partial<ApplicationAnswers>;
  countries: Record<string, string>;
}

/** The period is short, because other people may use the device. The form states it. */
export const draftDays = 7;
const maxAgeMs = draftDays * 24 * 60 * 60 * 1000;

/** The draft as stored text. Equal texts are equal drafts. */
export function storedDraft(reference: string): string | null {
  const key = draftPrefix + reference;
  return page().drafts?.[key] ?? attempt(() => localStorage.getItem(key)) ?? null;
}

function parsed(text: string | null | undefined): Partial<StoredDraft> | null {
  return attempt(() => JSON.parse(text ?? "null")) ?? null;
}

function isOld(draft: Partial<StoredDraft> | null): boolean {
  return !(Date.now() - (draft?.at ?? 0) < maxAgeMs);
}

/** Leaves out answers whose saved value has changed since they were typed: another device has saved newer ones. */
export function readDraft(reference: string, saved: ApplicationAnswers): Draft {
  const stored = parsed(storedDraft(reference));
  const draft = isOld(stored) ? null : stored;
  const answers = draft?.answers ?? {};
  const fitting = answerNames.filter(
    (name) => answers[name]?.over === saved[name] && typeof answers[name]?.typed === typeof saved[name],
  );
  const picks = Object.entries(draft?.countries ?? {});
  return {
    answers: Object.fromEntries(fitting.map((name) => [name, answers[name]?.typed])),
    countries: Object.fromEntries(picks.filter(([, code]) => countries.some((country) => country.code === code))),
  };
}

/** Stores the unsaved answers and the chosen countries, or removes the draft if there are none. */
export function writeDraft(reference: string, { answers, countries }: Draft, saved: ApplicationAnswers): void {
  const key = draftPrefix + reference;
  const unsaved = answerNames.filter((name) => name in answers && answers[name] !== saved[name]);
  const entries = unsaved.map((name) => [name, { typed: answers[name], over: saved[name] }]);
  const draft: StoredDraft = { answers: Object.fromEntries(entries), countries, at: Date.now() };
  const text = entries.length > 0 || Object.keys(countries).length > 0 ? JSON.stringify(draft) : null;
  const isStored = attempt(() => {
    if (text === null) localStorage.removeItem(key);
    // Once the token has been removed from this device, nothing more may be stored on it.
    else if (pageToken()) localStorage.setItem(key, text);
    else return false;
    return true;
  });
  page().drafts = isStored || text === null ? undefined : { [key]: text };
}

/** Storage events come only from other tabs, so this tab dispatches its own event after an undo or a save. */
const draftEvent = "rent-advance:draft";

/** Announces a change of a draft that does not come from typing in this tab. */
export function announceDraftChange(): void {
  window.dispatchEvent(new Event(draftEvent));
}

export function onDraftChange(listener: (event: Event) => void): () => void {
  window.addEventListener("storage", listener);
  window.addEventListener(draftEvent, listener);
  return () => {
    window.removeEventListener("storage", listener);
    window.removeEventListener(draftEvent, listener);
  };
}

/** Whether another tab has removed answers from this draft, because it has saved or undone them. */
export function removesAnswers(event: Event, reference: string): boolean {
  if (!(event instanceof StorageEvent) || event.key !== draftPrefix + reference) return false;
  const left = parsed(event.newValue)?.answers ?? {};
  return Object.keys(parsed(event.oldValue)?.answers ?? {}).some((name) => !(name in left));
}

/** Removes the expired drafts of all applications and returns whether anything typed is left. */
export function removeOldDrafts(): boolean {
  const keys = attempt(() => Object.keys(localStorage).filter((key) => key.startsWith(draftPrefix))) ?? [];
  const stored = keys.map((key) => ({ key, draft: parsed(attempt(() => localStorage.getItem(key))) }));
  for (const { key, draft } of stored) if (isOld(draft)) attempt(() => localStorage.removeItem(key));
  return stored.some(({ draft }) => !isOld(draft) && Object.keys(draft?.answers ?? {}).length > 0);
}
