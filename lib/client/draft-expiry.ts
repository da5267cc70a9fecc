import type { AdvanceAnswers } from "@/lib/domain/advance";
import type { AnswerName } from "@/lib/domain/application";
import { attempt, draftPrefix } from "./browser-storage";

/**
 * Answers that were typed but not saved, in localStorage under the application's reference. They survive a reload, a crash of
 * the tab, an hour offline, and an expired link until a new one opens the same application. A submission removes them.
 */
export interface StoredDraft {
  answers: Partial<Record<AnswerName, StoredAnswer>>;
  /** The chosen country of each phone field, because countries may share a dial code. */
  countries: Record<string, string>;
  /** The amounts before a change of rent or invoice has recalculated the loan amount. */
  replaced?: AdvanceAnswers;
  /** When the draft was last stored, in milliseconds since 1970. */
  at: number;
}

/** An unsaved answer, with the saved value at the time of typing. */
export interface StoredAnswer {
  typed: unknown;
  over: unknown;
  /** The values in saves since then. The server may have stored one of them without its response reaching this device. */
  sent?: string[];
}

/** The period is short, because other people may use the device. The form states it. */
export const draftDays = 7;
const maxAgeMs = draftDays * 24 * 60 * 60 * 1000;

/** Null for text that is not JSON or, after a release that stored drafts otherwise, of another shape. */
export function parseDraft(text: string | null | undefined): StoredDraft | null {
  const draft = attempt(() => JSON.parse(text ?? "null"));
  return draft?.answers && draft.countries ? draft : null;
}

/** Null also for an old one. One from the future, by a clock that was ahead, counts as old, or it would stay forever. */
export function freshDraft(text: string | null | undefined): StoredDraft | null {
  const draft = parseDraft(text);
  return draft && Math.abs(Date.now() - draft.at) < maxAgeMs ? draft : null;
}

/**
 * Removes the expired drafts of all applications and returns whether anything typed is left. This file is separate from
 * draft-storage.ts, because the landing page needs it for 'Not Ada?', and draft-storage.ts would add the form's code to that page.
 */
export function removeOldDrafts(): boolean {
  const keys = attempt(() => Object.keys(localStorage).filter((key) => key.startsWith(draftPrefix))) ?? [];
  const stored = keys.map((key) => ({ key, draft: freshDraft(attempt(() => localStorage.getItem(key))) }));
  for (const { key, draft } of stored) if (!draft) attempt(() => localStorage.removeItem(key));
  return stored.some(({ draft }) => draft && Object.keys(draft.answers).length > 0);
}
