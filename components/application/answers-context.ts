import { createContext, useContext } from "react";
import type { InvitedAnswers } from "@/lib/domain/application";
import type { AnswerName, FormValues } from "./form-values";

/** What a field of the form may know and do; that Formik is behind it, it need not know. */
export interface Answers {
  values: FormValues;
  source: string;
  invited: InvitedAnswers;
  /** The message to show: only once the field was left, or Next was pressed. */
  errorOf(name: AnswerName): string | undefined;
  isLocked(name: AnswerName): boolean;
  /** For text: the form hears of it when the typing pauses. */
  type(name: AnswerName, text: string): void;
  /** For answers from which others follow at once. */
  answer(changes: Partial<FormValues>): void;
  /** The person has left the field. */
  leave(name: AnswerName): void;
  /** The country picked for a phone number. */
  countryOf(name: AnswerName): string;
  pickCountry(name: AnswerName, code: string): void;
}

export const AnswersContext = createContext<Answers | null>(null);

export function useAnswers(): Answers {
  const answers = useContext(AnswersContext);
  if (!answers) throw new Error("useAnswers belongs inside the form");
  return answers;
}
