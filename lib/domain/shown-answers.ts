import {
  type ApplicationAnswers,
  type ApplicationView,
  answers,
  defaultAnswers,
  type InvitedAnswers,
  namesOf,
  type SavedAnswer,
} from "./application";
import { answerSteps } from "./journey";
import { centsOf } from "./money";

/**
 * The application as it stands on the form, the review and the receipt: the saved answers, or the defaults. An amount that
 * nobody has given yet is an empty field, not a zero to delete.
 */
export function shownAnswers(application: ApplicationView, source: string): ApplicationAnswers {
  const { reference, status, submittedAt, version, consent, invited, savedSteps, ...held } = application;
  const ungiven = answerSteps
    .filter((step) => !savedSteps.includes(step))
    .flatMap((step): SavedAnswer[] => namesOf(step))
    .filter((name) => answers[name].kind === "money" && held[name] === defaultAnswers[name]);
  return { ...held, ...Object.fromEntries(ungiven.map((name) => [name, ""])), source };
}

/** What the invitation said, where the answer says something else; undefined where it said nothing or the same. */
export function changedFrom(invited: InvitedAnswers, name: SavedAnswer, answer: string): string | undefined {
  const said = name in invited ? invited[name as keyof InvitedAnswers] : "";
  if (answers[name].kind !== "money") return said !== "" && said !== answer.trim() ? said : undefined;
  // An amount may be written in more than one way.
  return centsOf(said) > 0 && centsOf(said) !== centsOf(answer) ? said : undefined;
}
