import type { Brand } from "@/lib/brand";
import { hasSummary } from "./advance";
import {
  type AnswerKind,
  type ApplicationAnswers,
  isAskedFor,
  kindOf,
  labelOf,
  namesOf,
  optionWords,
  type SavedAnswer,
} from "./application";
import { formatCalendarDate, isCalendarDate } from "./calendar-date";
import type { AnswerStep } from "./journey";
import { centsOf, formatCents } from "./money";
import { type PhoneLibrary, readablePhone } from "./readable-phone";

export interface TextStyle extends Pick<Brand, "locale" | "currency"> {
  /** Shows the cents of every amount, as the receipt does. The reviews show whole dollars (specification, section 5). */
  toTheCent?: boolean;
  phones?: PhoneLibrary;
}

interface Words {
  /** A stored value for reading. */
  text: (value: string, name: SavedAnswer, style: TextStyle) => string;
  /** Shown if there is no answer. */
  fallback: string;
}

const plain: Words = { text: (text) => text, fallback: "Not provided" };

const words: Record<Exclude<AnswerKind, "checkbox">, Words> = {
  text: plain,
  email: plain,
  source: plain,
  phone: { ...plain, text: (digits, _, { phones }) => readablePhone(digits, phones) },
  choice: { ...plain, text: (chosen, name) => optionWords(name, chosen) },
  date: {
    text: (date, _, { locale }) => (isCalendarDate(date) ? formatCalendarDate(date, locale) : ""),
    fallback: "Not specified",
  },
  money: {
    text: (amount, _, style) => formatCents(centsOf(amount), style, style.toTheCent),
    fallback: "Not specified",
  },
};

export const answerText = (name: SavedAnswer, value: string, style: TextStyle) =>
  value && words[kindOf(name)].text(value, name, style);

export const fallbackOf = (name: SavedAnswer) => words[kindOf(name)].fallback;

/**
 * The answers of a step that have a row in the reviews and the receipt. A submission includes an answer that was given under a
 * link with another source, so that answer has its row too. The Calculation Summary has the loan amount, if there is one.
 */
export function shownNames(step: AnswerStep, values: ApplicationAnswers, read = values): SavedAnswer[] {
  const isGiven = (name: SavedAnswer) => labelOf(name) !== "" && Boolean(values[name] || read[name]);
  return namesOf(step)
    .filter((name) => isAskedFor(name, values.source) || isGiven(name))
    .filter((name) => name !== "loanAmount" || !hasSummary(values));
}
