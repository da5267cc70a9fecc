import { Formik, type FormikProps } from "formik";
import { type FormEvent, type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { toFormikValidate } from "zod-formik-adapter";
import { useBrand } from "@/components/site/brand-context";
import { onDraftChange } from "@/lib/client/drafts";
import { type ApplicationAnswers, namesOf, type SavedAnswer } from "@/lib/domain/application";
import type { AnswerStep } from "@/lib/domain/journey";
import type { Messages, Schema } from "@/lib/schemas/check";
import { stepSchema } from "@/lib/schemas/steps";
import { isSame, next, type StepValues } from "./next";
import { goOn } from "./step-history";
import { useForm } from "./use-form";

declare module "zod-formik-adapter" {
  /** The adapter calls `safeParseAsync` alone, which the schemas of zod/mini have as well. */
  export function toFormikValidate(schema: Schema): (values: object) => Promise<Messages | undefined>;
}

/** The form of one step: Formik holds its values, errors and touched fields, and a save is Formik's submission. */
export function StepForm({ step, busy, children }: { step: AnswerStep; busy: boolean; children: ReactNode }) {
  const form = useForm();
  const { saved, state, send } = form;
  const schema = stepSchema(step, useBrand());
  const fields = useRef<FormikProps<StepValues>>(null);
  const given = (answers: ApplicationAnswers): StepValues => {
    const typed = { ...answers, ...form.draftOver(answers).answers };
    return Object.fromEntries((namesOf(step) as SavedAnswer[]).map((name) => [name, typed[name]]));
  };
  const [initial] = useState(() => given(saved));
  useFollowing(fields, initial, given, saved);

  function refuse(messages: Messages): void {
    fields.current?.setErrors(messages);
    fields.current?.setTouched(Object.fromEntries(Object.keys(messages).map((name) => [name, true])), false);
    send({ type: "invalid", messages });
  }

  async function save(values: StepValues): Promise<void> {
    const isSaved = await next(values, {
      step,
      schema,
      typed: () => (form.isShown(step) ? fields.current?.values : undefined),
      show(answers) {
        form.keep(answers);
        fields.current?.setValues(answers, false);
      },
      refuse,
      send,
      accept: (answers, application) => form.accept(step, answers, application),
      fail: form.fail,
    });
    if (isSaved) goOn(step);
  }

  async function press(): Promise<void> {
    if (form.isBusy()) return;
    send({ type: "next", step });
    // The field that this press has left may have changed its value: React renders that first.
    await Promise.resolve();
    const wrong = await fields.current?.validateForm();
    if (wrong && Object.keys(wrong).length > 0) refuse(wrong as Messages);
    else await fields.current?.submitForm();
  }

  function pressed(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    // Enter submits with the focus still in a field. Moving it to the button runs the field's blur handler first.
    (event.nativeEvent as SubmitEvent).submitter?.focus();
    void press();
  }

  useResuming(state.submitError?.isUnreached === true && state.step === step, fields, press);

  return (
    <Formik
      innerRef={fields}
      initialValues={initial}
      validate={toFormikValidate(schema)}
      validateOnChange={false}
      validateOnBlur={false}
      onSubmit={save}
    >
      <form noValidate aria-busy={busy} onSubmit={pressed}>
        {children}
      </form>
    </Formik>
  );
}

type Fields = RefObject<FormikProps<StepValues> | null>;

/** Takes over what another tab has typed, or another device has saved, where nothing is typed here. */
function useFollowing(
  fields: Fields,
  initial: StepValues,
  given: (saved: ApplicationAnswers) => StepValues,
  saved: ApplicationAnswers,
): void {
  const seen = useRef(initial);
  const follow = useEffectEvent((answers: ApplicationAnswers) => {
    const values = fields.current?.values ?? {};
    const theirs = Object.entries(given(answers)).filter(
      ([name]) => values[name as SavedAnswer] === seen.current[name as SavedAnswer],
    );
    const changes = Object.fromEntries(theirs);
    seen.current = { ...seen.current, ...changes };
    if (theirs.some(([name, value]) => values[name as SavedAnswer] !== value))
      void fields.current?.setValues({ ...values, ...changes }, false);
  });
  useEffect(() => {
    const look = () => follow(saved);
    look();
    return onDraftChange(look);
  }, [saved]);
}

/** A save that found no network is repeated when the device is online, unless something was typed since. */
function useResuming(isUnreached: boolean, fields: Fields, press: () => Promise<void>): void {
  const resume = useEffectEvent((attempted?: StepValues) => {
    if (attempted && fields.current && isSame(fields.current.values, attempted)) void press();
  });
  useEffect(() => {
    if (!isUnreached) return;
    const attempted = fields.current?.values;
    const retry = () => resume(attempted);
    window.addEventListener("online", retry);
    return () => window.removeEventListener("online", retry);
  }, [isUnreached, fields]);
}
