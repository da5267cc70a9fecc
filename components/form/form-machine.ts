import type { Failure } from "@/lib/client/api";
import { type AnswerName, type ApplicationAnswers, namesOf } from "@/lib/domain/application";
import type { StepNumber } from "@/lib/domain/journey";
import type { Messages } from "@/lib/schemas/check";
import { type Trouble, troubleOf } from "./trouble";

/** What is wrong with one answer, for the summary above the form. */
export interface Problem {
  id: AnswerName;
  message: string;
}

/**
 * What the form is doing:
 * editing → checking → saving → editing (at the next step), or checking again if something was typed meanwhile;
 * editing → submitting → editing; saving and submitting → waiting, once a call is slow or repeated;
 * and from each of these to stopped, where problems or a trouble are shown until the next try.
 */
export type Phase = "editing" | "checking" | "saving" | "waiting" | "submitting" | "stopped";

export interface FormState {
  phase: Phase;
  /** The step that phase, problems and trouble belong to. */
  step: StepNumber;
  /** In the order of the screen. */
  problems: readonly Problem[];
  /** A failure that is not about a single answer, for the banner. */
  trouble: Trouble | null;
  /** What the server refused, with the value that it refused. */
  refused: Partial<Record<AnswerName, { value: unknown; message: string }>>;
}

export type FormEvent =
  | { type: "next" | "submit"; step: StepNumber }
  | { type: "right" | "slow" | "done" | "dismiss" }
  | { type: "wrong"; messages: Messages }
  | { type: "failed"; failure: Failure; values: ApplicationAnswers };

const none: readonly Problem[] = [];

export function editing(step: StepNumber): FormState {
  return { phase: "editing", step, problems: none, trouble: null, refused: {} };
}

/** Whether a check or a call is under way, so that a second tap must change nothing. */
export function isBusy({ phase }: FormState): boolean {
  return phase !== "editing" && phase !== "stopped";
}

export function nextState(state: FormState, event: FormEvent): FormState {
  const { step } = state;
  switch (event.type) {
    case "next":
      return isBusy(state) ? state : { ...editing(event.step), phase: "checking" };
    case "submit":
      return isBusy(state) ? state : { ...editing(event.step), phase: "submitting" };
    case "right":
      return state.phase === "checking" ? { ...state, phase: "saving" } : state;
    case "slow":
      return state.phase === "saving" || state.phase === "submitting" ? { ...state, phase: "waiting" } : state;
    case "done":
      return editing(step);
    case "wrong":
      return { ...editing(step), phase: "stopped", problems: inOrder(step, event.messages) };
    case "failed":
      return stoppedBy(event.failure, step, event.values);
    case "dismiss":
      return { ...state, trouble: null };
  }
}

/** What to show on this step. A call may fail after the person has gone to another step. */
export function shownAt({ step, problems, trouble }: FormState, onScreen: StepNumber) {
  const isHere = step === onScreen;
  return {
    problems: isHere ? problems : none,
    trouble: isHere || trouble?.incompleteStep === onScreen ? trouble : null,
  };
}

function inOrder(step: StepNumber, messages: Messages): Problem[] {
  const names: AnswerName[] = namesOf(step);
  return names.flatMap((id) => (messages[id] ? [{ id, message: messages[id] }] : []));
}

function stoppedBy(failure: Failure, step: StepNumber, values: ApplicationAnswers): FormState {
  const messages = failure.errors ?? {};
  const refused = Object.entries(messages)
    .filter(([name]) => name in values)
    .map(([name, message]) => [name, { value: values[name as AnswerName], message }]);
  return {
    phase: "stopped",
    step,
    problems: inOrder(step, messages),
    trouble: troubleOf(failure, step),
    refused: Object.fromEntries(refused),
  };
}
