import { amountsBefore } from "@/lib/domain/advance";
import { type AnswerName, type ApplicationAnswers, answerNames, type SavedAnswer } from "@/lib/domain/application";
import { unfinishedDate } from "@/lib/domain/calendar-date";
import { countries } from "@/lib/domain/phone";
import { isSameAnswer } from "@/lib/domain/shown-answers";
import { attempt, draftPrefix, openedSession, pageToken } from "./browser-storage";
import { freshDraft, parseDraft, type StoredAnswer, type StoredDraft } from "./draft-expiry";
import { onWindow } from "./window-events";

/** The part of a draft that still applies to the saved answers. */
export interface Draft extends Pick<StoredDraft, "countries" | "replaced"> {
  answers: Partial<ApplicationAnswers>;
}

/** The draft as stored text. Equal texts are equal drafts. */
export function storedDraft(reference: string): string | null {
  const key = draftPrefix + reference;
  return openedSession().drafts?.[key] ?? attempt(() => localStorage.getItem(key)) ?? null;
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
  const stored: Partial<StoredDraft> = freshDraft(storedDraft(reference)) ?? {};
  const { answers = {}, countries: picks = {}, replaced } = stored;
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
  const stored = freshDraft(storedDraft(reference))?.answers ?? {};
  const entries = answerNames.flatMap((name): [AnswerName, StoredAnswer][] => {
    const earlier = stored[name];
    const isKnown = fits(name, earlier, saved);
    const sentValues = new Set(isKnown ? earlier?.sent : undefined);
    if (sent[name] !== undefined) sentValues.add(sent[name]);
    // Part of a date cannot be filled in again. So it is not stored.
    const isTyped = name in answers && answers[name] !== unfinishedDate;
    // The saved value may be one of those that were sent. So typing the earlier one again is also a change.
    const isUnsaved = isTyped && [saved[name], ...sentValues].some((value) => value !== answers[name]);
    if (isUnsaved) return [[name, { typed: answers[name], over: saved[name], sent: [...sentValues] }]];
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
  openedSession().drafts = isStored || text === null ? undefined : { [key]: text };
}

/** Adds what is typed. `sent` are those of the answers that are being saved now. */
export function addToDraft(
  reference: string,
  draft: Draft,
  changes: Partial<ApplicationAnswers>,
  saved: ApplicationAnswers,
  countries: Draft["countries"] = {},
  sent: Partial<Record<AnswerName, string>> = {},
): void {
  const replaced = amountsBefore(changes, { ...saved, ...draft.answers }, draft.replaced);
  const answers = { ...draft.answers, ...changes };
  writeDraft(reference, { answers, countries: { ...draft.countries, ...countries }, replaced }, saved, sent);
}

/**
 * Storage events come only from other tabs. So this tab dispatches its own event after an undo, and when Submit finds what was
 * typed in another tab.
 */
const draftEvent = "rent-advance:draft";

export function announceDraftChange(): void {
  window.dispatchEvent(new Event(draftEvent));
}

export const onDraftChange = (listener: (event: Event) => void) => onWindow(["storage", draftEvent], listener);

/** Whether another tab has removed answers from this draft, because it has saved or undone them. */
export function removesAnswers(event: Event, reference: string): boolean {
  if (!(event instanceof StorageEvent) || event.key !== draftPrefix + reference) return false;
  const left = parseDraft(event.newValue)?.answers ?? {};
  return Object.keys(parseDraft(event.oldValue)?.answers ?? {}).some((name) => !(name in left));
}
