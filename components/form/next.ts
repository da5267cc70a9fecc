import { type Answer, type Failure, submitFinal, submitStep } from "@/lib/client/api";
import type { ApplicationView, ConsentAnswers, SavedAnswer, StepAnswers } from "@/lib/domain/application";
import type { AnswerStep } from "@/lib/domain/journey";
import type { Reviewed } from "@/lib/domain/reviewed";
import { check, type Messages, type Schema } from "@/lib/schemas/check";
import type { FormEvent } from "./form-machine";

/** What is in the fields of a step. */
export type StepValues = Partial<Record<SavedAnswer, string>>;

/** The step in which Next was pressed. */
export interface PressedStep<S extends AnswerStep> {
  step: S;
  schema: Schema<StepAnswers[S]>;
  /** What is in the fields by now; undefined once the person has left the step. */
  typed(): StepValues | undefined;
  show(answers: StepAnswers[S]): void;
  refuse(messages: Messages): void;
  send(event: FormEvent): void;
  /** The server has saved these answers; `application` is what it holds now. */
  accept(saved: StepAnswers[S], application?: ApplicationView): void;
  fail(failure: Failure): void;
}

/** Saves a step, again if something was typed meanwhile. Returns whether the next screen can follow. */
export async function next<S extends AnswerStep>(values: StepValues, form: PressedStep<S>): Promise<boolean> {
  const { step, schema, send } = form;
  let typed: StepValues | undefined = values;
  while (typed) {
    const { data, errors } = check(schema, typed);
    if (errors) {
      form.refuse(errors);
      return false;
    }
    send({ type: "valid" });
    // Show what is sent: the schema has trimmed it.
    form.show(data);
    const answer = await saveStep(step, data, () => send({ type: "slow" }));
    if (!answer.success) {
      form.fail(answer);
      return false;
    }
    form.accept(data, answer.data);
    send({ type: "done" });
    typed = form.typed();
    if (typed && isSame(typed, data)) return true;
    if (typed) send({ type: "next", step });
  }
  return false;
}

export function isSame(typed: StepValues, saved: object): boolean {
  return Object.entries(saved).every(([name, value]) => typed[name as SavedAnswer] === value);
}

/** Few and short, since a person is waiting. */
const pauses = [1000, 2500];
/** From then on the person reads that it takes long, also while the first answer is still on its way. */
const longWait = 10_000;
/** With a longer Retry-After the person reads how long instead. */
const longestPause = 5000;

export function saveStep<S extends AnswerStep>(step: S, answers: StepAnswers[S], onWait: () => void) {
  return withRetries(() => submitStep(step, answers), onWait);
}

export function submitApplication(consent: ConsentAnswers, reviewed: Reviewed, onWait: () => void) {
  return withRetries(() => submitFinal({ ...consent, reviewed }), onWait);
}

/**
 * Repeats a call that got no answer or a 503, a bounded number of times. Saves and the submission are idempotent, so
 * repeating one whose answer was lost is safe.
 */
async function withRetries<T>(call: () => Promise<Answer<T>>, onWait: () => void): Promise<Answer<T>> {
  const late = setTimeout(onWait, longWait);
  try {
    for (const pause of pauses) {
      const answer = await call();
      const asked = answer.success ? null : pauseAskedFor(answer);
      if (asked === null || asked > longestPause) return answer;
      onWait();
      await waitForConnection(Math.max(pause, asked));
    }
    return await call();
  } finally {
    clearTimeout(late);
  }
}

/** Milliseconds until the next try; null where a retry would not help. */
function pauseAskedFor({ status, unanswered, retryAfterSeconds = 0 }: Answer<unknown> & { success: false }) {
  return unanswered === "no-network" || status === 503 ? retryAfterSeconds * 1000 : null;
}

/** Ends early when the device is online again. */
function waitForConnection(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener("online", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    window.addEventListener("online", done);
  });
}
