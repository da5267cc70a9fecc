import {
  type AnswerKind,
  type ApplicationAnswers,
  type ApplicationView,
  answers,
  defaultAnswers,
  type InvitedAnswers,
  kindOf,
  lockedAnswers,
  namesOf,
  type SavedAnswer,
  savedAnswers,
} from "./application";
import { type AnswerStep, answerSteps } from "./journey";
import { centsOf, isAmount } from "./money";

/**
 * The answers as the form, review and receipt show them. An amount that was never saved is '' instead of 0, so that nobody
 * has to delete the 0 (docs/decisions/empty-amounts.md).
 */
export function shownAnswers(application: ApplicationView, source: string): ApplicationAnswers {
  const { reference, status, submittedAt, version, consent, invited, savedSteps, ...stored } = application;
  const unanswered = answerSteps
    .filter((step) => !savedSteps.includes(step))
    .flatMap((step) => namesOf(step))
    .filter((name) => stored[name] === defaultAnswers[name]);
  return { ...stored, ...Object.fromEntries(unanswered.map((name) => [name, ""])), source };
}

/** Spaces around a text do not matter. */
const sameText = (one: string, other: string) => one.trim().normalize("NFC") === other.trim().normalize("NFC");

/** '450' and '450.00' are the same. An empty amount differs from 0, because a save refuses it. */
const sameAmount = (one: string, other: string) => isAmount(one) && isAmount(other) && centsOf(one) === centsOf(other);

const comparisons: Record<Exclude<AnswerKind, "checkbox">, typeof sameText> = {
  text: sameText,
  email: sameText,
  phone: sameText,
  date: sameText,
  choice: sameText,
  source: sameText,
  money: sameAmount,
};

/** The invitation's value if the answer differs from it. Undefined if it is the same or was not given. */
export function changedFrom(invited: InvitedAnswers, name: SavedAnswer, answer: string): string | undefined {
  const invitedValue = name in invited ? invited[name as keyof InvitedAnswers] : "";
  const isGiven = invitedValue !== "" && !isSameAnswer(name, invitedValue, defaultAnswers[name]);
  return isGiven && !isSameAnswer(name, invitedValue, answer) ? invitedValue : undefined;
}

/** Set if a locked number may be somebody else's, because answers about the same person differ from the invitation. */
export function warningOf(name: SavedAnswer, invited: InvitedAnswers, values: Partial<Record<SavedAnswer, string>>) {
  const { warning } = answers[name];
  const locks = lockedAnswers(invited).some((locked) => locked === name);
  const differs = savedAnswers
    .filter((sibling) => warning?.siblings.includes(sibling))
    .some((sibling) => changedFrom(invited, sibling, values[sibling] ?? "") !== undefined);
  return locks && differs ? warning : undefined;
}

/** Whether the server stores both values as the same answer. */
export function isSameAnswer(name: SavedAnswer, one: string, other: string): boolean {
  return one === other || comparisons[kindOf(name)](one, other);
}

export function unsavedSteps(values: ApplicationAnswers, saved: ApplicationAnswers): AnswerStep[] {
  const isUnsaved = (name: SavedAnswer) => !isSameAnswer(name, values[name], saved[name]);
  return answerSteps.filter((step) => namesOf(step).some(isUnsaved));
}
