import { useFormik } from "formik";
import { useEffect, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useApplication } from "@/components/session/session-context";
import type { AnswerStep, StepNumber } from "@/lib/domain/journey";
import { type FormValues, formValues, stepFields } from "./form-values";
import { useDraftKeeping, useRestoredDraft } from "./use-draft";
import { useFormAnswers } from "./use-form-answers";
import { useProblems } from "./use-problems";
import { useResumedSaving } from "./use-resumed-saving";
import { useStep } from "./use-step";
import { useStepSaving } from "./use-step-saving";
import { answersOf, validators } from "./validation";

/** `outdated`: saved, but the person has typed on since it was sent. */
type Outcome = "saved" | "outdated" | "failed";

/** The form's life: what is typed, checked and saved, and which step it leads to. */
export function useApplicationForm() {
  const { application, source } = useApplication();
  const saved = useMemo(() => formValues(application, source), [application, source]);
  const restored = useRestoredDraft(application, saved);
  const journey = useStep(application);
  const { step, returnsToReview, go } = journey;
  const problems = useProblems(step);
  const { save, waiting } = useStepSaving();
  const [initialValues] = useState<FormValues>(() => ({ ...saved, ...restored.answers }));

  const form = useFormik<FormValues>({
    initialValues,
    validate: step === 4 ? undefined : validators[step],
    onSubmit: () => (step === 4 ? undefined : saveStep(step)),
  });
  const { setTouched, setErrors, validateForm, submitForm } = form;
  const { answers, countries, flush, latest } = useFormAnswers(form, {
    application,
    source,
    refused: problems.refused,
    picked: restored.countries,
  });
  useDraftKeeping({ reference: application.reference, saved, values: form.values, countries, latest });

  const shownStep = useRef(step);
  useEffect(() => {
    if (shownStep.current === step) return;
    shownStep.current = step;
    // Each step starts untouched: its errors wait for the person.
    void setTouched({}, false);
    setErrors({});
  }, [step, setTouched, setErrors]);

  async function saveStep(at: AnswerStep): Promise<Outcome> {
    const sent: Partial<FormValues> = answersOf(at, latest.current);
    const differs = () => stepFields[at].some((name) => latest.current[name] !== sent[name]);
    // What is sent is what the screen shows: trimmed.
    if (differs()) answers.answer(sent);
    const failure = await save(at, latest.current);
    if (failure) problems.showFailure(at, failure, latest.current);
    if (failure) return "failed";
    return differs() ? "outdated" : "saved";
  }

  async function isRight(at: AnswerStep): Promise<boolean> {
    const messages = await validateForm(latest.current);
    const names = Object.keys(messages);
    if (names.length === 0) return true;
    await setTouched(Object.fromEntries(names.map((name) => [name, true])), false);
    problems.showWrong(at, messages);
    return false;
  }

  const inFlight = useRef(false);
  /** Next: on only where the step is right, saved, and still what the screen shows. */
  async function advance(at: AnswerStep): Promise<void> {
    if (inFlight.current) return;
    inFlight.current = true;
    flushSync(flush);
    problems.clear();
    let outcome: Outcome | undefined = "outdated";
    try {
      while (outcome === "outdated" && (await isRight(at))) outcome = await submitForm();
    } finally {
      inFlight.current = false;
    }
    if (outcome === "saved" && shownStep.current === at) go(returnsToReview ? 4 : ((at + 1) as StepNumber));
  }

  const next = () => {
    if (step !== 4) void advance(step);
  };
  useResumedSaving(problems.trouble?.isUnreached === true, latest, next);

  return { application, saved, restored, journey, problems, answers, next, saving: form.isSubmitting, waiting };
}
