import { useFormik } from "formik";
import { useRouter } from "next/navigation";
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { flushSync } from "react-dom";
import { useApplication } from "@/components/session/session-context";
import { useBrand } from "@/components/site/brand-context";
import type { Failure } from "@/lib/client/api";
import { type AnswerName, type ApplicationAnswers, type ApplicationView, namesOf } from "@/lib/domain/application";
import {
  type AnswerStep,
  isAnswerStep,
  resumeStep,
  reviewStep,
  type StepNumber,
  visitableStep,
} from "@/lib/domain/journey";
import type { ShownConsent } from "@/lib/domain/reviewed";
import { shownAnswers, unsavedSteps } from "@/lib/domain/shown-answers";
import { check } from "@/lib/schemas/check";
import { stepSchema } from "@/lib/schemas/steps";
import { useAnswersOf, useUnsavedSteps } from "./answers-context";
import { editing, type FormEvent, isBusy, nextState } from "./form-machine";
import { saveStep, submitApplication } from "./save";
import { goTo, onMove, returnsToReview, stepAsked } from "./step-history";
import { typedValues } from "./typed-values";
import { useReviewed } from "./use-reviewed";
import { validatorOf } from "./validator";

/**
 * The state of the form. form-machine.ts holds what it is doing, typed-values.ts what is typed and shown, Formik what was
 * checked: values, errors and touched fields. What happens on Next is in `next`, below.
 */
export function useForm() {
  const { application, source, update, reject } = useApplication();
  const saved = useMemo(() => shownAnswers(application, source), [application, source]);
  const reviewed = useReviewed();
  const [typed] = useState(() => typedValues(application, saved));
  const brand = useBrand();
  const router = useRouter();

  const [entryStep] = useState(() => resumeStep(application));
  const asked = useSyncExternalStore(onMove, () => stepAsked(window.location.search));
  const step = visitableStep(application, asked ?? entryStep);
  const shownStep = useRef(step);

  /** The steps whose changes were undone on this review. */
  const [undone, setUndone] = useState<AnswerStep[]>([]);

  // In a ref as well, because a second tap may come before the first has been rendered.
  const machine = useRef(editing(step));
  const [state, setState] = useState(machine.current);
  function send(event: FormEvent): void {
    machine.current = nextState(machine.current, event);
    setState(machine.current);
  }

  const { errors, touched, setValues, setTouched, setErrors, setFieldTouched } = useFormik<ApplicationAnswers>({
    initialValues: typed.values,
    validate: isAnswerStep(step) ? validatorOf(stepSchema(step, brand)) : undefined,
    // Not used. `next` and `submit` validate once themselves, and send what the schema has parsed.
    onSubmit: () => {},
  });

  // While typing, validate only if an error is shown: it has to disappear as soon as it is corrected.
  const showsError = useRef(false);
  showsError.current = (Object.keys(errors) as AnswerName[]).some((name) => touched[name]);
  useEffect(() => typed.attach(), [typed]);
  useEffect(
    () => typed.subscribe(() => void (showsError.current && setValues(typed.values, true))),
    [typed, setValues],
  );

  useEffect(() => {
    if (shownStep.current === step) return;
    shownStep.current = step;
    // The phone's Back leaves a field without a blur event.
    typed.flush();
    setUndone([]);
    // A step shows no errors until its fields are touched.
    void setTouched({}, false);
    setErrors({});
  }, [step, typed, setTouched, setErrors]);

  function stop(failure: Failure): void {
    if (failure.status === 401) reject();
    send({ type: "failed", failure, values: typed.values });
  }

  /**
   * What the server holds now, and what of it this screen had not shown: another device may have saved, too. `sent` is what
   * this one has saved. Returns the answers as they are shown from now on.
   */
  function takeIn(changes: Partial<ApplicationView>, sent: Partial<ApplicationAnswers> = {}, text?: ShownConsent) {
    const held = shownAnswers({ ...application, ...changes }, source);
    const own = (Object.keys(sent) as AnswerName[]).map((name) => [name, held[name]]);
    update(changes);
    typed.adopt(held, sent);
    reviewed.outdate({ ...saved, ...Object.fromEntries(own) }, text);
    return held;
  }

  const onWait = () => send({ type: "slow" });

  /** Validates and saves the step, again if something was typed during the save, and goes to the next one. */
  async function next(at: AnswerStep): Promise<void> {
    if (isBusy(machine.current)) return;
    flushSync(typed.flush);
    let held: ApplicationAnswers;
    do {
      send({ type: "next", step: at });
      const { data: sent, errors: wrong } = check(stepSchema(at, brand), typed.values);
      setErrors(wrong ?? {});
      if (wrong) {
        void setTouched(Object.fromEntries(Object.keys(wrong).map((name) => [name, true])), false);
        return send({ type: "wrong", messages: wrong });
      }
      send({ type: "right" });
      // Show what is sent: the schema has trimmed it.
      if (differs(at, sent)) typed.answer(sent);
      const answer = await saveStep(at, sent, onWait);
      if (!answer.success) return stop(answer);
      const savedSteps = [...new Set([...application.savedSteps, at])].sort();
      held = takeIn({ ...sent, savedSteps, ...answer.data }, sent);
      send({ type: "done" });
    } while (differs(at, held));
    if (shownStep.current === at) goTo(returnsToReview() ? reviewStep : ((at + 1) as StepNumber), at);
  }

  function differs(at: AnswerStep, sent: Partial<ApplicationAnswers>): boolean {
    return namesOf(at).some((name) => typed.values[name] !== sent[name]);
  }

  /** Submits, and goes to the thank-you page. A second tap finds the machine busy. */
  async function submit(): Promise<void> {
    // Another tab may have typed something since.
    typed.follow();
    if (isBusy(machine.current) || unsavedSteps(typed.values, saved).length > 0) return;
    send({ type: "submit", step: reviewStep });
    const { authoriseAgent, provideSelf, confirmLoan } = typed.values;
    const consent = { authoriseAgent, provideSelf, confirmLoan };
    // Of the rendering whose button was pressed: the session may hold something newer by now.
    const read = { answers: application.version, consent: reviewed.consent.hash };
    const answer = await submitApplication(consent, read, onWait);
    if (!answer.success) {
      if (answer.outdated) takeIn(answer.outdated.application, {}, answer.outdated.consent);
      return stop(answer);
    }
    send({ type: "done" });
    typed.forget();
    router.replace("/submit-success");
    update({ ...consent, ...answer.data });
  }

  const again = useRef(next);
  again.current = next;
  const isUnreached = state.trouble?.isUnreached === true && state.step === step;
  useEffect(() => {
    if (!isUnreached || !isAnswerStep(step)) return;
    const attempted = typed.values;
    // A save that found no network is repeated when the device is online, unless something was typed since.
    const resume = () => void (typed.values === attempted && again.current(step));
    window.addEventListener("online", resume);
    return () => window.removeEventListener("online", resume);
  }, [isUnreached, step, typed]);

  function leave(name: AnswerName): void {
    typed.flush();
    // Formik's own validation on blur would use the values of its last render. Set touched afterwards: otherwise an
    // error that is corrected already would flash up.
    void setValues(typed.values, true).then(() => void setFieldTouched(name, true, false));
  }

  function undo(at: AnswerStep): void {
    typed.undo(namesOf(at));
    setUndone([...undone, at]);
  }

  const answers = useAnswersOf({ application, source, typed, errors, touched, refused: state.refused, leave });
  const unsaved = useUnsavedSteps(answers, saved);
  return {
    application,
    saved,
    reviewed,
    answers,
    step,
    state,
    isRestored: typed.isRestored,
    unsaved,
    undone: undone.filter((at) => !unsaved.includes(at)),
    undo,
    dismiss: () => send({ type: "dismiss" }),
    next,
    submit,
  };
}
