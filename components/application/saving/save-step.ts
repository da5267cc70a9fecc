import { type CallResult, type Failure, submitStep } from "@/lib/client/api";
import { pageToken } from "@/lib/client/browser-storage";
import type { ApplicationView, SavedAnswer, StepAnswers } from "@/lib/domain/application";
import type { AnswerStep } from "@/lib/domain/journey";
import { check, type Messages, type Schema } from "@/lib/schemas/check";
import type { FormStateEvent, StepValues } from "./form-state";

interface WaitingForm {
  send(event: FormStateEvent): void;
  isMounted(): boolean;
}

interface PressedStep<S extends AnswerStep> extends WaitingForm {
  step: S;
  schema: Schema<StepAnswers[S]>;
  /** The current values of the fields, or undefined once the applicant has left the step. */
  typed(): StepValues | undefined;
  show(answers: StepAnswers[S]): void;
  refuse(messages: Messages): void;
  /** Called when the server has saved these answers. `application` is the server's current state. */
  accept(saved: StepAnswers[S], application?: ApplicationView): void;
  fail(failure: Failure, sent: StepAnswers[S]): void;
}

/** Saves a step, and saves it again if something was typed during the save. Returns whether the next screen can follow. */
export async function saveStep<S extends AnswerStep>(values: StepValues, form: PressedStep<S>): Promise<boolean> {
  const { step, schema, send } = form;
  let typed: StepValues | undefined = values;
  while (typed) {
    const { data, errors } = check(schema, typed);
    if (errors) {
      form.refuse(errors);
      return false;
    }
    // Show the values that are sent, because the schema has trimmed them.
    form.show(data);
    const result = await withRetries((token) => submitStep(step, data, token), form);
    if (!result.success) {
      form.fail(result, data);
      return false;
    }
    form.accept(data, result.data);
    send({ type: "done" });
    const before = typed;
    typed = form.typed();
    // React may not have rendered the trimmed values yet.
    if (typed && (isSame(typed, data) || isSame(typed, before))) return true;
    if (typed) send({ type: "start", step });
  }
  return false;
}

export function isSame(typed: StepValues, saved: object): boolean {
  return Object.entries(saved).every(([name, value]) => typed[name as SavedAnswer] === value);
}

/** Milliseconds before each retry. They are few and short, because the applicant is waiting. */
const pauses = [1000, 2500];
/** After this many milliseconds the form says that the call is slow, even if the first response is still pending. */
const longWait = 10_000;
/** If Retry-After is longer than this, the form does not retry but says how long to wait. */
const maxPause = 5000;

/**
 * Sends nothing while the device is offline. Retries a call that found no network or got a 503, a bounded number of times. Saves
 * and the submission are idempotent, so repeating one whose response was lost is safe. It would not be safe once the form has unmounted, because the applicant may
 * save something else then. Each try has the same token, because the page may open another application in between.
 */
export async function withRetries<T>(
  call: (token: string | null) => Promise<CallResult<T>>,
  form: WaitingForm,
): Promise<CallResult<T>> {
  if (!navigator.onLine) return { success: false, status: null, noResponse: "offline", message: "" };
  const token = pageToken();
  const onWait = () => form.send({ type: "slow" });
  const slowTimer = setTimeout(onWait, longWait);
  try {
    for (const pause of pauses) {
      const result = await call(token);
      const minimumPause = result.success ? null : requestedPause(result);
      if (minimumPause === null || minimumPause > maxPause) return result;
      onWait();
      await waitForConnection(Math.max(pause, minimumPause));
      if (!form.isMounted()) return result;
    }
    return await call(token);
  } finally {
    clearTimeout(slowTimer);
  }
}

/** The pause that the server asks for, in milliseconds, or null if a retry would not help. */
function requestedPause({ status, noResponse, retryAfterSeconds = 0 }: CallResult<unknown> & { success: false }) {
  return noResponse === "no-network" || status === 503 ? retryAfterSeconds * 1000 : null;
}

/** Resolves early if the device comes back online. */
function waitForConnection(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
    window.addEventListener("online", () => resolve(), { once: true });
  });
}
