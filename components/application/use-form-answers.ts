import type { FormikProps } from "formik";
import { useCallback, useMemo, useState } from "react";
import type { ApplicationView } from "@/lib/domain/application";
import { defaultCountry } from "@/lib/domain/phone";
import type { Answers } from "./answers-context";
import { type AnswerName, type FormValues, isLocked } from "./form-values";
import { useTyping } from "./use-typing";

/** What the server refused, by field, with the value that it refused. */
export type Refused = Partial<Record<AnswerName, { value: unknown; message: string }>>;

interface Circumstances {
  application: ApplicationView;
  source: string;
  refused: Refused;
  /** Countries picked in an earlier visit. */
  picked: Record<string, string>;
}

/** The form's answers for its fields, and for what saves them. */
export function useFormAnswers(form: FormikProps<FormValues>, { application, source, refused, picked }: Circumstances) {
  const { values, errors, touched, setValues, setFieldTouched, validateForm } = form;
  const [countries, setCountries] = useState(picked);

  // While typing, only an error that is already shown is judged again: it goes as soon as it is mended.
  const showsError = (Object.keys(errors) as AnswerName[]).some((name) => touched[name]);
  const commit = useCallback((next: FormValues) => void setValues(next, showsError), [setValues, showsError]);
  const { type, answer, flush, latest } = useTyping(values, commit);

  const leave = useCallback(
    (name: AnswerName) => {
      flush();
      // Formik's own check on leaving would judge the values of the last rendering. Touched only once that is done: the
      // error of an earlier check, mended since, would flash up.
      void validateForm(latest.current).then(() => setFieldTouched(name, true, false));
    },
    [setFieldTouched, flush, validateForm, latest],
  );

  const answers = useMemo<Answers>(
    () => ({
      values,
      source,
      invited: application.invited,
      errorOf: (name) => {
        const refusal = refused[name];
        const refusedStill = refusal?.value === values[name] ? refusal?.message : undefined;
        return (touched[name] ? errors[name] : undefined) ?? refusedStill;
      },
      isLocked: (name) => isLocked(application, name),
      type,
      answer,
      leave,
      countryOf: (name) => countries[name] ?? defaultCountry,
      pickCountry: (name, code) => setCountries((before) => ({ ...before, [name]: code })),
    }),
    [values, source, application, refused, touched, errors, type, answer, leave, countries],
  );
  return { answers, countries, flush, latest };
}
