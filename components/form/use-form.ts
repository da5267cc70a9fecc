import {
  createContext,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { useApplication } from "@/components/session/session-context";
import { useRenderedConsent } from "@/components/site/consent-context";
import type { Failure } from "@/lib/client/api";
import {
  type Draft,
  draftChanged,
  onDraftChange,
  readDraft,
  removeOldDrafts,
  storedDraft,
  writeDraft,
} from "@/lib/client/drafts";
import {
  type AnswerName,
  type ApplicationAnswers,
  type ApplicationView,
  lockedAnswers,
  namesOf,
  type StepAnswers,
} from "@/lib/domain/application";
import { type AnswerStep, resumeStep, visitableStep } from "@/lib/domain/journey";
import type { ShownConsent } from "@/lib/domain/reviewed";
import { shownAnswers, unsavedSteps } from "@/lib/domain/shown-answers";
import { editing, type FormEvent, isBusy, nextState } from "./form-machine";
import { onMove, stepAsked } from "./step-history";

/**
 * What the steps share: the answers as saved, the draft of those that are not, and what the form is doing. The fields of the
 * step on the screen are Formik's (step-form.tsx); the draft follows them.
 */
export function useFormState() {
  const { application, source, update, reject } = useApplication();
  const { reference, invited } = application;
  const saved = useMemo(() => shownAnswers(application, source), [application, source]);
  const reviewed = useReviewed();

  // In a ref as well, because a save goes on with the answers that its last round has saved before they are rendered.
  const latest = useRef(application);
  useLayoutEffect(() => {
    latest.current = application;
  }, [application]);
  const latestSaved = () => shownAnswers(latest.current, source);

  useEffect(() => void removeOldDrafts(), []);

  const [entryStep] = useState(() => resumeStep(application));
  const shownStep = (view: ApplicationView) => visitableStep(view, stepAsked(window.location.search) ?? entryStep);
  const step = useSyncExternalStore(onMove, () => shownStep(application));

  // In a ref as well, because a second tap may come before the first has been rendered.
  const [state, setState] = useState(() => editing(step));
  const machine = useRef(state);
  function send(event: FormEvent): void {
    machine.current = nextState(machine.current, event);
    setState(machine.current);
  }

  function draftOver(answers: ApplicationAnswers): Draft {
    const draft = readDraft(reference, answers);
    for (const name of lockedAnswers(invited)) delete draft.answers[name];
    return draft;
  }

  const unsavedOver = (answers: ApplicationAnswers) =>
    unsavedSteps({ ...answers, ...draftOver(answers).answers }, answers);
  useSyncExternalStore(onDraftChange, () => storedDraft(reference));

  /**
   * Applies what the server holds now. `sent` is what this screen has saved; what else is new the person has not read
   * yet, because another device has saved it.
   */
  function applyChanges(
    changes: Partial<ApplicationView>,
    sent: Partial<ApplicationAnswers> = {},
    text?: ShownConsent,
  ): void {
    const before = latestSaved();
    const draft = draftOver(before);
    latest.current = { ...latest.current, ...changes };
    const now = latestSaved();
    const names = Object.keys(sent) as AnswerName[];
    const typed = Object.entries(draft.answers).filter(([name, value]) => sent[name as AnswerName] !== value);
    writeDraft(reference, { ...draft, answers: Object.fromEntries(typed) }, now);
    update(changes);
    reviewed.markOutdated({ ...before, ...Object.fromEntries(names.map((name) => [name, now[name]])) }, text);
  }

  return {
    application,
    source,
    saved,
    reviewed,
    step,
    state,
    send,
    isBusy: () => isBusy(machine.current),
    isShown: (at: AnswerStep) => shownStep(latest.current) === at,
    draftOver,
    /** The steps with unsaved changes, whichever tab has made them. */
    unsaved: unsavedOver(saved),
    /** As `unsaved`, at this moment: another tab may have typed something since. */
    unsavedNow: () => unsavedOver(latestSaved()),
    update,

    /** The draft follows what is typed. */
    keep(changes: Partial<ApplicationAnswers>, countries: Draft["countries"] = {}): void {
      const base = latestSaved();
      const draft = draftOver(base);
      const answers = { ...draft.answers, ...changes };
      writeDraft(reference, { answers, countries: { ...draft.countries, ...countries } }, base);
    },

    /** Takes a step's answers back to what is saved. */
    undo(at: AnswerStep): void {
      const names: AnswerName[] = namesOf(at);
      const without = <T>(values: Record<string, T>) =>
        Object.fromEntries(Object.entries(values).filter(([name]) => !names.some((one) => one === name)));
      const base = latestSaved();
      const draft = draftOver(base);
      writeDraft(reference, { answers: without(draft.answers), countries: without(draft.countries) }, base);
      draftChanged();
    },

    /** The server has saved a step. `view` is what it holds now. */
    accept<S extends AnswerStep>(at: S, sent: StepAnswers[S], view?: ApplicationView): void {
      const savedSteps = [...new Set([...latest.current.savedSteps, at])].sort();
      applyChanges({ ...sent, savedSteps, ...view }, sent);
    },

    applyChanges,

    fail(failure: Failure): void {
      if (failure.status === 401) reject();
      const base = latestSaved();
      send({ type: "failed", failure, values: { ...base, ...draftOver(base).answers } });
    },
  };
}

export type Form = ReturnType<typeof useFormState>;

export const FormContext = createContext<Form | null>(null);

export function useForm(): Form {
  const form = useContext(FormContext);
  if (!form) throw new Error("useForm belongs inside the form");
  return form;
}

/** What the person had read before something changed elsewhere: the review marks the difference. */
interface Read {
  answers: ApplicationAnswers;
  consent: ShownConsent;
}

/**
 * The consent text on the screen, and what was read before. Kept here and not in the session, because what a submission
 * says was read has to be what this screen shows.
 */
function useReviewed() {
  const rendered = useRenderedConsent();
  const [consent, setConsent] = useState(rendered);
  const [read, setRead] = useState<Read>();
  function markOutdated(answers: ApplicationAnswers, text = consent): void {
    setRead({ answers, consent });
    setConsent(text);
  }
  return { consent, read, markOutdated };
}
