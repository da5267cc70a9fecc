import { useCallback, useState } from "react";
import type { Failure } from "@/lib/client/api";
import type { AnswerStep, StepNumber } from "@/lib/domain/journey";
import { type AnswerName, type FormValues, stepFields } from "./form-values";
import { type Trouble, troubleOf } from "./trouble";
import type { Refused } from "./use-form-answers";

export interface Problem {
  id: AnswerName;
  message: string;
}

type Messages = Partial<Record<string, string>>;

const none: Problem[] = [];

function inOrder(step: AnswerStep, messages: Messages): Problem[] {
  return stepFields[step].flatMap((id) => {
    const message = messages[id];
    return message ? [{ id, message }] : [];
  });
}

function refusedFrom(messages: Messages, values: FormValues): Refused {
  const names = (Object.keys(messages) as AnswerName[]).filter((name) => name in values);
  return Object.fromEntries(names.map((name) => [name, { value: values[name], message: messages[name] ?? "" }]));
}

/** What stands in the way: in the summary and at the fields what is wrong with the answers, in the banner the rest. */
export function useProblems(step: StepNumber) {
  const [found, setFound] = useState<{ step: StepNumber; problems: Problem[] }>({ step, problems: none });
  const [trouble, setTrouble] = useState<(Trouble & { step: StepNumber }) | null>(null);
  const [refused, setRefused] = useState<Refused>({});

  const clear = useCallback(() => {
    setFound({ step, problems: none });
    setTrouble(null);
    setRefused({});
  }, [step]);

  /** Next was pressed, and these answers are not right yet. */
  const showWrong = useCallback((at: AnswerStep, messages: Messages) => {
    setFound({ step: at, problems: inOrder(at, messages) });
  }, []);

  /** The server said no, or nothing. */
  const showFailure = useCallback((at: StepNumber, failure: Failure, values: FormValues) => {
    const messages = failure.errors ?? {};
    setTrouble({ ...troubleOf(failure, at), step: at });
    setRefused(refusedFrom(messages, values));
    if (at !== 4) setFound({ step: at, problems: inOrder(at, messages) });
  }, []);

  const dismissTrouble = useCallback(() => setTrouble(null), []);
  const concernsThisStep = trouble?.step === step || trouble?.incompleteStep === step;
  return {
    problems: found.step === step ? found.problems : none,
    trouble: concernsThisStep ? trouble : null,
    refused,
    clear,
    showWrong,
    showFailure,
    dismissTrouble,
  };
}
