import { createContext, useContext, useMemo, useRef, useSyncExternalStore } from "react";
import {
  type AnswerName,
  type ApplicationAnswers,
  type ApplicationView,
  type InvitedAnswers,
  lockedAnswers,
} from "@/lib/domain/application";
import { type AnswerStep, answerSteps } from "@/lib/domain/journey";
import { defaultCountry } from "@/lib/domain/phone";
import { unsavedSteps } from "@/lib/domain/shown-answers";
import type { FormState } from "./form-machine";
import type { TypedValues } from "./typed-values";

/** What the form offers to its fields, so that they do not depend on Formik. */
export interface Answers {
  /** For event handlers. What is rendered is read with useShown. */
  shown(): ApplicationAnswers;
  subscribe(listener: () => void): () => void;
  source: string;
  invited: InvitedAnswers;
  /** The message to show beside this value: only once the field was left, or Next was pressed. */
  errorOf(name: AnswerName, value: string): string | undefined;
  isLocked(name: AnswerName): boolean;
  /** For text: rendered once the typing pauses, or, if nothing else on the screen tells of it, the field is left. */
  type(name: AnswerName, text: string, isTold: boolean): void;
  /** For answers that others are computed from, or that are read out in words: rendered at once. */
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

/** These answers as they are shown. Only a change of one of them renders the component again. */
export function useShownOf<N extends AnswerName>({ shown, subscribe }: Answers, names: readonly N[]) {
  const rendered = useRef(shown());
  return useSyncExternalStore<Pick<ApplicationAnswers, N>>(subscribe, () => {
    const latest = shown();
    if (names.some((name) => latest[name] !== rendered.current[name])) rendered.current = latest;
    return rendered.current;
  });
}

/** useShownOf, inside the form. */
export const useShown = <N extends AnswerName>(...names: N[]) => useShownOf(useAnswers(), names);

/** The steps with unsaved changes. Only a change of this list renders the component again. */
export function useUnsavedSteps({ shown, subscribe }: Answers, saved: ApplicationAnswers): AnswerStep[] {
  const list = useSyncExternalStore(subscribe, () => unsavedSteps(shown(), saved).join());
  return answerSteps.filter((step) => list.includes(String(step)));
}

interface FormParts extends Pick<FormState, "refused">, Pick<Answers, "leave" | "source"> {
  application: ApplicationView;
  typed: TypedValues;
  errors: Partial<Record<AnswerName, string>>;
  touched: Partial<Record<AnswerName, boolean>>;
}

/** The value of AnswersContext, memoised so that what reads it renders only when it changes. */
export function useAnswersOf({ application, source, typed, errors, touched, refused, leave }: FormParts) {
  const { invited } = application;
  const leaveNow = useRef(leave);
  leaveNow.current = leave;
  return useMemo<Answers>(() => {
    const locked: AnswerName[] = lockedAnswers(invited);
    return {
      shown: typed.shown,
      subscribe: typed.subscribe,
      source,
      invited,
      errorOf(name, value) {
        const refusal = refused[name];
        const refusedStill = refusal?.value === value ? refusal?.message : undefined;
        return (touched[name] ? errors[name] : undefined) ?? refusedStill;
      },
      isLocked: (name) => locked.includes(name),
      type: typed.type,
      answer: typed.answer,
      leave: (name) => leaveNow.current(name),
      countryOf: (name) => typed.countryOf(name) ?? defaultCountry,
      pickCountry: typed.pickCountry,
    };
  }, [source, invited, refused, touched, errors, typed]);
}
