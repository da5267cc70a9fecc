import {
  type ApplicationAnswers,
  type ApplicationView,
  answers,
  defaultAnswers,
  type InvitedAnswers,
  namesOf,
  type SavedAnswer,
} from "./application";
import { type AnswerStep, answerSteps } from "./journey";
import { centsOf, isAmount } from "./money";

/**
 * The answers as form, review and receipt show them. An amount that was never saved is '' instead of 0, so that nobody
 * has to delete the 0 (docs/decisions/empty-amounts.md).
 */
export function shownAnswers(application: ApplicationView, source: string): ApplicationAnswers {
  const { reference, status, submittedAt, version, consent, invited, savedSteps, ...held } = application;
  const ungiven = answerSteps
    .filter((step) => !savedSteps.includes(step))
    .flatMap((step): SavedAnswer[] => namesOf(step))
    .filter((name) => held[name] === defaultAnswers[name]);
  return { ...held, ...Object.fromEntries(ungiven.map((name) => [name, ""])), source };
}

/** The invitation's value if the answer differs from it; undefined if it is the same or was not given. */
export function changedFrom(invited: InvitedAnswers, name: SavedAnswer, answer: string): string | undefined {
  const said = name in invited ? invited[name as keyof InvitedAnswers] : "";
  if (answers[name].kind !== "money") return said !== "" && said !== answer.trim() ? said : undefined;
  // Compared in cents: '450' and '450.00' are the same amount.
  return centsOf(said) > 0 && centsOf(said) !== centsOf(answer) ? said : undefined;
}

/** Whether two values of an answer mean the same: '450' and '450.00', or a text with spaces around it. */
function meansSame(name: SavedAnswer, one: string, other: string): boolean {
  if (one === other) return true;
  // An empty amount is no 0: a save refuses it.
  if (answers[name].kind === "money") return isAmount(one) && isAmount(other) && centsOf(one) === centsOf(other);
  return one.trim().normalize("NFC") === other.trim().normalize("NFC");
}

/** The steps that have an answer which differs from what is saved. */
export function unsavedSteps(values: ApplicationAnswers, saved: ApplicationAnswers): AnswerStep[] {
  return answerSteps.filter((step) => namesOf(step).some((name) => !meansSame(name, values[name], saved[name])));
}
