import { type ReactNode, type Ref, useEffect, useRef, useSyncExternalStore } from "react";
import { useSession } from "@/components/session/session-context";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { type Failure, retryAdvice } from "@/lib/client/api";
import { areDraftsStored } from "@/lib/client/browser-storage";
import { onWindow } from "@/lib/client/window-events";
import { isAskedFor, namesOf } from "@/lib/domain/application";
import { resumeStep, reviewStep, type StepNumber, steps } from "@/lib/domain/journey";
import { noticesForStep } from "./form-state";
import { isSame } from "./save-step";
import { type Form, useForm } from "./use-form";

/** A review cannot be submitted while anything is unsaved, so a failed submission loses nothing. */
function keptAdvice({ noResponse, isUnrecognised }: Failure, step: StepNumber): string {
  // The response of a submission that the server has stored may have been lost.
  const mayHaveArrived = " It's safe to submit again: we'll only record it once.";
  if (step === reviewStep) return `Your answers are saved.${noResponse || isUnrecognised ? mayHaveArrived : ""}`;
  return areDraftsStored()
    ? "We've kept what you typed on this device."
    : "Keep this page open, or you'll lose what you typed.";
}

/** The banner's message (specification, section 8). */
function messageOf({ noResponse, message, status }: Failure, step: StepNumber): string {
  const isFinal = step === reviewStep;
  if (noResponse === "no-network" || noResponse === "timeout") {
    if (!isFinal) return `Failed to submit step ${step}`;
    return `Submission failed: ${noResponse === "timeout" ? "the server took too long to respond" : "no connection"}`;
  }
  if (!message) return "Submission failed";
  // After a 409 nothing has failed (docs/decisions/reviewed-version.md).
  return isFinal && status !== 409 ? `Submission failed: ${message}` : message;
}

function adviceFor(failure: Failure, step: StepNumber): string | undefined {
  const { noResponse, retryAfterSeconds, status, outdated, message, isUnrecognised } = failure;
  if (outdated) return "We haven't submitted anything. Check the changes marked in the review, then submit again.";
  if (noResponse === "no-token") return "Open the link in our message again.";
  const canRetry = !message || retryAfterSeconds || status === null || status >= 500 || isUnrecognised;
  return canRetry ? `${keptAdvice(failure, step)} ${retryAdvice(failure)}` : undefined;
}

/** Whether the server has refused an answer for which this page has no field, because a deployment has added it since. */
function isPageOutdated({ errors = {}, incompleteStep }: Failure, { state, source }: Form): boolean {
  const step = incompleteStep ?? state.step;
  const shown = namesOf(step).filter((name) => step === reviewStep || isAskedFor(name, source));
  return Object.keys(errors).some((name) => !shown.some((shownName) => shownName === name));
}

/** Takes the focus when it appears, because it is above the form and the button that was pressed is far below. */
export function SubmitErrorBanner({ step }: { step: StepNumber }) {
  const form = useForm();
  const { state, send, openStep, application } = form;
  const { failed } = noticesForStep(state, step);
  const { verify } = useSession();
  const wrapper = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (failed) wrapper.current?.focus();
  }, [failed]);
  // While the device is offline, nothing was sent, and the notice about that is enough.
  if (!failed || failed.failure.noResponse === "offline") return null;
  const { status, outdated, requestId, incompleteStep } = failed.failure;
  const isOutdated = isPageOutdated(failed.failure, form);
  const message = isOutdated ? "This page is out of date. Reload it." : messageOf(failed.failure, state.step);
  const kept = areDraftsStored() ? "What you typed is kept." : undefined;
  const advice = isOutdated ? kept : adviceFor(failed.failure, state.step);
  // After a 409 nothing has failed: the application has changed in the meantime.
  const isConflict = status === 409;
  return (
    // A status that is inserted together with its text is not announced, so a screen reader says the name of what has the focus.
    <div ref={wrapper} tabIndex={-1} {...(isConflict ? { role: "group", "aria-label": message } : {})}>
      <Banner
        tone={isConflict ? "info" : "error"}
        dismiss={{ what: message, onDismiss: () => send({ type: "dismiss" }) }}
        detail={requestId && `If you contact us, quote ${application.reference} and ${requestId}.`}
      >
        <p>{message}</p>
        {advice && <p className="font-normal">{advice}</p>}
        {isOutdated && (
          <Button variant="secondary" className="mt-2" onClick={() => window.location.reload()}>
            Reload
          </Button>
        )}
        {!isOutdated && incompleteStep && incompleteStep !== step && (
          <button type="button" className="link min-h-11" onClick={() => openStep(incompleteStep)}>
            Go to {steps[incompleteStep].title}
          </button>
        )}
        {isConflict && !outdated && (
          <button type="button" onClick={verify} className="link min-h-11">
            See your application's status
          </button>
        )}
      </Banner>
    </div>
  );
}

/** Also after each input, because the device may refuse to store it. */
const onConnectionOrInput = (listener: () => void) => onWindow(["online", "offline", "input"], listener);

const offlineAdvice = () =>
  areDraftsStored()
    ? "Keep going. We're keeping what you type on this device. You can save it when you're back online."
    : "Keep this page open and keep going. You can save it when you're back online.";

/** Whether what was pressed offline is sent once the device is online: nothing has been changed since. */
function isWaiting({ state, saved, draftOver }: Form, step: StepNumber): boolean {
  const isOffline = state.step === step && state.failed?.failure.noResponse === "offline";
  return isOffline && isSame({ ...saved, ...draftOver(saved).answers }, state.failed?.sent ?? {});
}

function waitingAdvice(step: StepNumber): string {
  const retry = "Keep this page open, and we'll try again when you're back online.";
  if (step === reviewStep) return `Your answers are saved. ${retry}`;
  return areDraftsStored() ? `We've kept what you typed on this device. ${retry}` : retry;
}

const offlineOnReview = ({ application, unsaved }: Form) =>
  resumeStep(application) === reviewStep && unsaved.length === 0
    ? "Your answers are saved. You can submit them when you're back online."
    : "You can carry on when you're back online.";

/**
 * Announces a notice above a screen. Rendered from the start, because a live region inserted together with its text is not
 * announced. While it is empty, it takes up no space.
 */
export function LiveNotice({ ref, children }: { ref?: Ref<HTMLDivElement>; children: ReactNode }) {
  return (
    <div ref={ref} tabIndex={-1} role="status" className="empty:absolute">
      {children}
    </div>
  );
}

/**
 * Shown if navigator.onLine is false. That value is reliable, while true can be wrong. Takes the focus if Next or Submit was pressed,
 * because it is far above them.
 */
export function OfflineNotice({ step }: { step: StepNumber }) {
  const form = useForm();
  const advice = useSyncExternalStore(onConnectionOrInput, () => {
    if (navigator.onLine) return null;
    if (isWaiting(form, step)) return waitingAdvice(step);
    return step === reviewStep ? offlineOnReview(form) : offlineAdvice();
  });
  const notice = useRef<HTMLDivElement>(null);
  const { failed } = form.state;
  useEffect(() => {
    if (failed?.failure.noResponse === "offline") notice.current?.focus();
  }, [failed]);
  return (
    <LiveNotice ref={notice}>
      {advice && (
        <Banner tone="info" isAnnounced>
          <p>You're offline.</p>
          <p className="font-normal">{advice}</p>
        </Banner>
      )}
    </LiveNotice>
  );
}

/** Screen readers announce it as the description of the heading, which takes the focus on arrival and with every step. */
export function RestoredNotice({ id, onDismiss }: { id: string; onDismiss: () => void }) {
  return (
    <Banner tone="info" isAnnounced dismiss={{ what: "We kept what you typed on this device", onDismiss }}>
      <div id={id}>
        <p>We kept what you typed on this device.</p>
        <p className="font-normal">We've filled it in again, but it isn't saved yet.</p>
      </div>
    </Banner>
  );
}
