import { Formik, type FormikProps } from "formik";
import { type FormEvent, type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { toFormikValidate } from "zod-formik-adapter";
import { useBrand } from "@/components/site/brand-context";
import { onDraftChange, removesAnswers } from "@/lib/client/draft-storage";
import { followPresses } from "@/lib/client/press";
import { onWindow } from "@/lib/client/window-events";
import {
  type AnswerKind,
  type ApplicationAnswers,
  answers,
  kindOf,
  namesOf,
  type SavedAnswer,
} from "@/lib/domain/application";
import type { AnswerStep } from "@/lib/domain/journey";
import { isSameAnswer } from "@/lib/domain/shown-answers";
import { exceedsTypingLimit } from "@/lib/domain/typed-phone";
import { check, type Messages, type Schema } from "@/lib/schemas/check";
import { stepSchema } from "@/lib/schemas/steps";
import { isSubmitting, noticesForStep, type StepValues } from "./form-state";
import { isSame, saveStep } from "./save-step";
import { goToNextStep } from "./step-history";
import { useForm } from "./use-form";

declare module "zod-formik-adapter" {
  /** The adapter calls only `safeParseAsync`, which the schemas of zod/mini have as well. */
  export function toFormikValidate(schema: Schema): (values: object) => Promise<Messages | undefined>;
}

/** The server's messages about answers that the schema accepts, and the answers that were sent. */
interface Refusal {
  messages: Messages;
  sent: StepValues;
}

/** A rule may compare the dates of a step, or its amounts. */
const comparedKinds: AnswerKind[] = ["date", "money"];

function comparedWith(name: SavedAnswer, values: StepValues): SavedAnswer[] {
  const kind = kindOf(name);
  const names = Object.keys(values) as SavedAnswer[];
  return comparedKinds.includes(kind) ? names.filter((other) => kindOf(other) === kind) : [name];
}

/**
 * The messages about answers that have not changed since, nor another that they may be compared with. The schema accepts them, so
 * a validation alone would clear them.
 */
function stillRefused({ messages, sent }: Refusal, values: StepValues): Messages {
  const isUnchanged = (refused: SavedAnswer) =>
    comparedWith(refused, values).every((name) => values[name] === sent[name]);
  // A newer server may have refused an answer that this page does not know.
  const isRefused = (name: string) => name in values && isUnchanged(name as SavedAnswer);
  return Object.fromEntries(Object.entries(messages).filter(([name]) => isRefused(name)));
}

/** The form of one step: Formik holds its values, errors and touched fields, and a save is Formik's submission. */
export function StepForm({ step, children }: { step: AnswerStep; children: ReactNode }) {
  const form = useForm();
  const { saved, state, send } = form;
  const schema = stepSchema(step, useBrand());
  const fields = useRef<FormikProps<StepValues>>(null);
  const valuesFrom = (answers: ApplicationAnswers): StepValues => {
    const typed = { ...answers, ...form.draftOver(answers).answers };
    return Object.fromEntries(namesOf(step).map((name) => [name, typed[name]]));
  };
  const [initial] = useState(() => {
    const values: Partial<ApplicationAnswers> = valuesFrom(saved);
    // An applicant who returns to a step finds the errors of the last press of Next again, except those corrected meanwhile.
    const { problems, failed } = noticesForStep(state, step);
    // The draft keeps a digit that was refused while typing, and its error stays until the number is edited.
    const isTooLong = (name: SavedAnswer) =>
      answers[name].kind === "phone" && exceedsTypingLimit({ country: null, digits: values[name] ?? "" });
    const tooLong = namesOf(step).filter(isTooLong);
    const touched = Object.fromEntries([...problems.map(({ id }) => id), ...tooLong].map((name) => [name, true]));
    // The server has refused the answers of a save, or the saved answers of a submission.
    const messages = failed ? Object.fromEntries(problems.map(({ id, message }) => [id, message])) : {};
    const refusal: Refusal = { messages, sent: { ...saved, ...failed?.sent } };
    return { values, errors: { ...stillRefused(refusal, values), ...check(schema, values).errors }, touched, refusal };
  });
  const refusal = useRef(initial.refusal);
  const validateSchema = toFormikValidate(schema);
  useChangesElsewhere(fields, initial.values, valuesFrom);
  useEffect(followPresses, []);

  function showErrors(messages: Messages): void {
    fields.current?.setErrors(messages);
    fields.current?.setStatus(messages);
    fields.current?.setTouched(Object.fromEntries(Object.keys(messages).map((name) => [name, true])), false);
  }

  function refuse(messages: Messages): void {
    showErrors(messages);
    send({ type: "invalid", messages });
  }

  async function save(values: StepValues): Promise<void> {
    const isSaved = await saveStep(values, {
      step,
      schema,
      typed: () => (form.isShown(step) ? fields.current?.values : undefined),
      show(answers) {
        form.beginSave(answers);
        fields.current?.setValues(answers, false);
      },
      refuse,
      send,
      accept: (answers, application) => form.accept(step, answers, application),
      fail(failure, sent) {
        refusal.current = { messages: failure.errors ?? {}, sent };
        if (failure.errors) showErrors(failure.errors);
        form.fail(failure, sent);
      },
      isMounted: form.isMounted,
    });
    if (isSaved) goToNextStep(step);
  }

  async function pressNext(): Promise<void> {
    if (form.isBusy()) return;
    send({ type: "start", step });
    // The server decides again, because its rules may have changed.
    refusal.current = { messages: {}, sent: {} };
    // The field that has just lost the focus may have changed its value. React renders that change first.
    await Promise.resolve();
    const fieldErrors = await fields.current?.validateForm();
    // The applicant has left the step during the check.
    if (!fields.current) return send({ type: "done" });
    if (fieldErrors && Object.keys(fieldErrors).length > 0) refuse(fieldErrors as Messages);
    else await fields.current.submitForm();
  }

  function handleSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    // Enter submits with the focus still in a field. Moving the focus to the button runs the field's blur handler first.
    (event.nativeEvent as SubmitEvent).submitter?.focus();
    void pressNext();
  }

  const { noResponse } = state.failed?.failure ?? {};
  const foundNoNetwork = state.step === step && (noResponse === "no-network" || noResponse === "offline");
  useRetryOnline(foundNoNetwork ? state.failed?.sent : undefined, fields, pressNext);

  return (
    <Formik
      innerRef={fields}
      initialValues={initial.values}
      initialErrors={initial.errors}
      initialTouched={initial.touched}
      // The errors at the time when Next was pressed or a field was left. The summary shows these.
      initialStatus={initial.errors}
      validate={async (values) => ({ ...stillRefused(refusal.current, values), ...(await validateSchema(values)) })}
      validateOnChange={false}
      validateOnBlur={false}
      onSubmit={save}
    >
      <form noValidate onSubmit={handleSubmit}>
        {/* Without the role, screen readers announce a group without a name. */}
        <fieldset role="presentation" disabled={isSubmitting(state)} className="contents disabled:text-ink-soft">
          {children}
        </fieldset>
      </form>
    </Formik>
  );
}

type Fields = RefObject<FormikProps<StepValues> | null>;

/** Adopts what was typed in another tab or saved on another device, in fields that were not edited in this tab. */
function useChangesElsewhere(
  fields: Fields,
  initial: StepValues,
  valuesFrom: (saved: ApplicationAnswers) => StepValues,
): void {
  const { application, saved, latestSaved, refresh, writeToDraft } = useForm();
  const { reference } = application;
  const lastSynced = useRef(initial);
  const shows = (name: SavedAnswer, value = "") => isSameAnswer(name, fields.current?.values[name] ?? "", value);
  const sync = useEffectEvent((answers: ApplicationAnswers) => {
    const current = Object.entries(valuesFrom(answers)) as [SavedAnswer, string][];
    // What was typed here is no longer an edit once it is saved, in this tab or in another one that has adopted it.
    const unedited = current.filter(([name]) => shows(name, lastSynced.current[name]) || shows(name, answers[name]));
    const changes = unedited.filter(([name, value]) => !shows(name, value));
    lastSynced.current = { ...lastSynced.current, ...Object.fromEntries(unedited) };
    if (changes.length > 0)
      fields.current?.setFormikState((state) => ({
        ...state,
        values: { ...state.values, ...Object.fromEntries(changes) },
      }));
  });
  const onAnswersRemoved = useEffectEvent(async () => {
    await refresh();
    // Stores again what was typed here, because the other tab has removed it together with its own answers.
    const now = latestSaved();
    const values = Object.entries(fields.current?.values ?? {}) as [SavedAnswer, string][];
    const typed = values.filter(([name]) => !shows(name, lastSynced.current[name]) && !shows(name, now[name]));
    if (typed.length > 0) writeToDraft(Object.fromEntries(typed));
  });
  useEffect(() => {
    sync(saved);
    return onDraftChange((event) => (removesAnswers(event, reference) ? void onAnswersRemoved() : sync(saved)));
  }, [saved, reference]);
}

/** Repeats a save that found no network, once the device is online, unless something has been typed since. */
function useRetryOnline(attempted: StepValues | undefined, fields: Fields, pressNext: () => Promise<void>): void {
  const resume = useEffectEvent(() => {
    if (attempted && fields.current && isSame(attempted, fields.current.values)) void pressNext();
  });
  useEffect(() => onWindow(["online"], () => resume()), []);
}
