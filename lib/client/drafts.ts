import type { AdvanceAnswers } from "@/lib/domain/advance";
import { type AnswerName, type ApplicationAnswers, answerNames, type SavedAnswer } from "@/lib/domain/application";
import { unfinishedDate } from "@/lib/domain/calendar-date";
import { countries } from "@/lib/domain/phone";
import { isSameAnswer } from "@/lib/domain/shown-answers";
import { attempt, draftPrefix, page, pageToken } from "./browser-storage";
import { onWindow } from "./window-events";

/**
 * Answers that were typed but not saved, in localStorage under the application's reference. They survive a reload, a crash of
 * the tab, an hour offline, and an expired link until a new one opens the same application. A submission removes them.
 */
interface StoredDraft {
  answers: Partial<Record<AnswerName, StoredAnswer>>;
  /** The chosen country of each phone field, because countries may share a dial code. */
  countries: Record<string, string>;
  replaced?: Draft["replaced"];
  /** When the draft was last stored, in milliseconds since 1970. */
  at: number;
}

/** An unsaved answer, with the saved value at the time of typing. */
interface StoredAnswer {
  typed: unknown;
  over: unknown;
  /** The values in saves since then. The server may have stored one of them without its answer reaching this device. */
  sent?: string[];
}

/** The part of a draft that still applies to the saved answers. */
export interface Draft {
  answers: Partial<ApplicationAnswers>;
  countries: Record<string, string>;
  /** The amounts before a change of rent or invoice has recalculated the loan amount. */
  replaced?: AdvanceAnswers;
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

/** A date in the future, from a clock that was ahead, counts as well. Otherwise such a draft would stay for ever. */
function isOld(draft: Partial<StoredDraft> | null): boolean {
  return !(Math.abs(Date.now() - (draft?.at ?? 0)) < maxAgeMs);
}

function freshDraft(reference: string): Partial<StoredDraft> {
  const stored = parsed(storedDraft(reference));
  return (!isOld(stored) && stored) || {};
}

/**
 * Whether an answer was typed over the saved one, or over one that this device has sent. If not, either another device has
 * saved a newer one since, or another tab has, and this tab does not know it yet.
 */
function fits(name: AnswerName, answer: StoredAnswer | undefined, saved: ApplicationAnswers): boolean {
  const value = saved[name];
  // Only the answers of the steps are sent, and each of them is a string.
  const isSent = answer?.sent?.some((sent) => isSameAnswer(name as SavedAnswer, sent, String(value))) ?? false;
  return typeof answer?.typed === typeof value && (answer?.over === value || isSent);
}

/** Leaves out answers that do not fit the saved ones. */
export function readDraft(reference: string, saved: ApplicationAnswers): Draft {
  const { answers = {}, countries: picks = {}, replaced } = freshDraft(reference);
  const fitting = answerNames.filter((name) => fits(name, answers[name], saved));
  const known = Object.entries(picks).filter(([, code]) => countries.some((country) => country.code === code));
  return {
    answers: Object.fromEntries(fitting.map((name) => [name, answers[name]?.typed])),
    countries: Object.fromEntries(known),
    // Once the recalculated amount is saved or undone, the next change must not offer the amount before it again.
    replaced: fitting.includes("loanAmount") ? replaced : undefined,
  };
}

/**
 * Stores the unsaved answers and the chosen countries, or removes the draft if there are none. Stored answers that do not fit
 * stay, because another tab may have typed them over answers that this tab does not know yet. `sent` is being saved now.
 */
export function writeDraft(
  reference: string,
  { answers, countries, replaced }: Draft,
  saved: ApplicationAnswers,
  sent: Partial<Record<AnswerName, string>> = {},
): void {
  const key = draftPrefix + reference;
  const { answers: stored = {} } = freshDraft(reference);
  const entries = answerNames.flatMap((name): [AnswerName, StoredAnswer][] => {
    const earlier = stored[name];
    const isKnown = fits(name, earlier, saved);
    const sends = new Set(isKnown ? earlier?.sent : undefined);
    if (sent[name] !== undefined) sends.add(sent[name]);
    // Part of a date cannot be filled in again. So it is not stored.
    const isTyped = name in answers && answers[name] !== unfinishedDate;
    // The saved value may be one of those that were sent. So typing the earlier one again is also a change.
    const isUnsaved = isTyped && [saved[name], ...sends].some((value) => value !== answers[name]);
    if (isUnsaved) return [[name, { typed: answers[name], over: saved[name], sent: [...sends] }]];
    return earlier && !isKnown ? [[name, earlier]] : [];
  });
  const draft: StoredDraft = { answers: Object.fromEntries(entries), countries, replaced, at: Date.now() };
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

export const onDraftChange = (listener: (event: Event) => void) => onWindow(["storage", draftEvent], listener);

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
