import { useSearchParams } from "next/navigation";
import {
  createContext,
  useContext,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { useApplication } from "@/components/session/session-context";
import { type Failure, verifyToken } from "@/lib/client/api";
import { forgetDraft } from "@/lib/client/browser-storage";
import { writeDraft } from "@/lib/client/draft-storage";
import { openPage } from "@/lib/client/open-page";
import { onWindow } from "@/lib/client/window-events";
import type { AnswerName, ApplicationAnswers, ApplicationView, StepAnswers } from "@/lib/domain/application";
import { type AnswerStep, resumeStep, visitableStep } from "@/lib/domain/journey";
import type { ShownConsent } from "@/lib/domain/reviewed";
import { shownAnswers } from "@/lib/domain/shown-answers";
import { isSubmitting, type StepValues } from "./form-state";
import {
  changePath,
  nameShownStep,
  onMove,
  openStepFromReview,
  type ReturnTarget,
  requestedStep,
} from "./step-history";
import { useDraft } from "./use-draft";
import { useLastingState } from "./use-lasting-state";

/**
 * The state that the steps share: the saved answers, the draft of unsaved ones, and what the form is doing. Formik holds the
 * fields of the step on the screen (step-form.tsx), and the draft follows them.
 */
export function useApplicationForm(returnsTo: ReturnTarget, renderedConsent: ShownConsent) {
  const { application, source, update, reject } = useApplication();
  const { reference, invited } = application;
  const saved = useMemo(() => shownAnswers(application, source), [application, source]);
  const reviewed = useReviewed(renderedConsent);

  // Also kept in a ref, because a repeated save needs the answers just saved before React renders them.
  const latest = useRef(application);
  useLayoutEffect(() => {
    latest.current = application;
  }, [application]);
  const latestSaved = () => shownAnswers(latest.current, source);

  const draft = useDraft({ reference, invited, source, latestSaved });

  // From the router, because window.location has the URL before until Next has rendered the screen once.
  const arrivedAt = requestedStep(useSearchParams().toString());
  const [entryStep] = useState(() => arrivedAt ?? resumeStep(application));
  const shownStep = (view: ApplicationView) => visitableStep(view, requestedStep(window.location.search) ?? entryStep);
  const step = useSyncExternalStore(onMove, () => shownStep(application));
  // Next changes the URL after it has rendered a screen, so `step` may be that of the URL before.
  useEffect(() => nameShownStep(shownStep(application)));

  const { state, send, isBusy, isMounted, isOwnSession, isResponseStale, setResponseStale, applyChanges } =
    useLastingState(step, rebaseDraft);

  /**
   * Shows the server's current state. `sent` is what this screen has saved. The applicant has not read any other change yet,
   * because it was saved elsewhere.
   */
  function showChanges(
    changes: Partial<ApplicationView>,
    sent: Partial<ApplicationAnswers> = {},
    text?: ShownConsent,
  ): void {
    const before = latestSaved();
    latest.current = { ...latest.current, ...changes };
    const now = latestSaved();
    update(changes);
    const own = (Object.keys(sent) as AnswerName[]).map((name) => [name, now[name]]);
    reviewed.markOutdated(before, Object.fromEntries(own), text);
  }

  /** Also rebases the draft on the new state, without what this screen has saved. */
  function rebaseDraft(...[changes, sent = {}, text]: Parameters<typeof showChanges>): void {
    const before = draft.over(latestSaved());
    showChanges(changes, sent, text);
    const now = latestSaved();
    // Another tab may have typed over the new state already.
    const typed = Object.entries({ ...draft.over(now).answers, ...before.answers }).filter(
      ([name, value]) => sent[name as AnswerName] !== value,
    );
    writeDraft(reference, { ...before, answers: Object.fromEntries(typed) }, now);
  }

  /** Fetches the saved answers, because another tab or device may have saved some. The draft, which tabs share, is up to date. */
  async function refresh(): Promise<void> {
    const before = latest.current;
    const result = await verifyToken();
    if (!result.success || !isMounted()) return;
    // The response may be older than a save in this tab.
    if (latest.current !== before) return refresh();
    setResponseStale(true);
    showChanges(result.data);
  }

  const refreshOnReturn = useEffectEvent(() => {
    if (!document.hidden && !isBusy()) void refresh();
  });
  useEffect(() => onWindow(["visibilitychange"], () => refreshOnReturn()), []);

  return {
    application,
    source,
    saved,
    latestSaved,
    reviewed,
    step,
    state,
    send,
    isBusy,
    isMounted,
    isShown: (at: AnswerStep) => shownStep(latest.current) === at,
    draftOver: draft.over,
    /** The steps with unsaved changes, typed in this tab or in another one. */
    unsaved: draft.unsavedOver(saved),
    /** Like `unsaved`, but read now: something may have been typed in another tab since the last render. */
    unsavedNow: () => draft.unsavedOver(latestSaved()),
    update,

    stepPath: (target: AnswerStep, field?: string) => changePath(target, returnsTo, field),

    /** Opens a step from a review, at a field. The Next button then returns to the review. */
    openStep(target: AnswerStep, field?: string): void {
      if (isSubmitting(state)) return;
      if (returnsTo === "review") openStepFromReview(target, step, field);
      else openPage(changePath(target, returnsTo, field));
    },

    writeToDraft: draft.write,

    beginSave(answers: StepValues): void {
      setResponseStale(false);
      draft.write(answers, {}, answers);
    },

    undo: draft.discardStep,

    /** Called when the server has saved a step. `view` is the server's current state. */
    accept<S extends AnswerStep>(at: S, sent: StepAnswers[S], view?: ApplicationView): void {
      const savedSteps = [...new Set([...latest.current.savedSteps, at])].sort();
      if (isResponseStale()) {
        applyChanges({ savedSteps });
        void refresh();
      } else applyChanges({ ...sent, savedSteps, ...view }, sent);
    },

    applyChanges,
    isOwnSession,

    refresh,

    fail(failure: Failure, sent: StepValues = {}): void {
      if (failure.status === 401 && isOwnSession()) reject();
      // The application was submitted elsewhere, so nobody can save the draft, which is personal data.
      if (failure.status === 409 && !failure.outdated) forgetDraft(reference);
      send({ type: "failed", failure, sent });
    },
  };
}

export type Form = ReturnType<typeof useApplicationForm>;

export const FormContext = createContext<Form | null>(null);

export function useForm(): Form {
  const form = useContext(FormContext);
  if (!form) throw new Error("useForm must be used within the form");
  return form;
}

/** What the applicant had read before something changed elsewhere. The review marks the differences. */
interface Read {
  answers: ApplicationAnswers;
  consent: ShownConsent;
}

/**
 * The consent text on the screen, and what the applicant had read before a change. The form keeps them, not the session,
 * because a submission must report exactly what this screen shows as read.
 */
function useReviewed(rendered: ShownConsent) {
  const [consent, setConsent] = useState(rendered);
  const [read, setRead] = useState<Read>();
  /** `before` are the answers until now. `own` are those that this screen itself has changed. Earlier differences stay. */
  function markOutdated(before: ApplicationAnswers, own: Partial<ApplicationAnswers>, text = consent): void {
    setRead((earlier = { answers: before, consent }) => ({ ...earlier, answers: { ...earlier.answers, ...own } }));
    setConsent(text);
  }
  return { consent, read, markOutdated };
}
