import { createContext, useContext, useMemo, useRef } from "react";
import {
  type AnswerName,
  type ApplicationAnswers,
  type ApplicationView,
  type InvitedAnswers,
  lockedAnswers,
} from "@/lib/domain/application";
import { defaultCountry } from "@/lib/domain/phone";
import type { FormState } from "./form-machine";
import type { TypedValues } from "./typed-values";

/** What the form offers to its fields, so that they do not depend on Formik. */
export interface Answers {
  values: ApplicationAnswers;
  source: string;
  invited: InvitedAnswers;
  /** The message to show: only once the field was left, or Next was pressed. */
  errorOf(name: AnswerName): string | undefined;
  isLocked(name: AnswerName): boolean;
  /** For text: the form renders it once the typing pauses, or, if nothing else on the screen tells of it, the field is left. */
  type(name: AnswerName, text: string, isTold: boolean): void;
  /** For answers that others are computed from, or that are read out in words: the form renders them at once. */
  answer(changes: Partial<ApplicationAnswers>): void;
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

interface FormParts extends Pick<FormState, "refused">, Pick<Answers, "values" | "leave" | "source"> {
  application: ApplicationView;
  typed: TypedValues;
  errors: Partial<Record<AnswerName, string>>;
  touched: Partial<Record<AnswerName, boolean>>;
}

/** The value of AnswersContext, memoised so that the fields render only when it changes. */
export function useAnswersOf({ application, source, typed, values, errors, touched, refused, leave }: FormParts) {
  const { invited } = application;
  const leaveNow = useRef(leave);
  leaveNow.current = leave;
  return useMemo<Answers>(() => {
    const locked: AnswerName[] = lockedAnswers(invited);
    return {
      values,
      source,
      invited,
      errorOf(name) {
        const refusal = refused[name];
        const refusedStill = refusal?.value === values[name] ? refusal?.message : undefined;
        return (touched[name] ? errors[name] : undefined) ?? refusedStill;
      },
      isLocked: (name) => locked.includes(name),
      type: typed.type,
      answer: typed.answer,
      leave: (name) => leaveNow.current(name),
      countryOf: (name) => typed.countryOf(name) ?? defaultCountry,
      pickCountry: typed.pickCountry,
    };
  }, [values, source, invited, refused, touched, errors, typed]);
}
