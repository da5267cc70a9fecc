"use client";

import {
  type ComponentProps,
  type ComponentType,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from "react";
import { useErrors } from "@/components/form/answer-field";
import { FormActions } from "@/components/form/form-actions";
import { isBusy, noticesForStep } from "@/components/form/form-machine";
import { OfflineNotice, RestoredNotice, SubmitErrorBanner } from "@/components/form/form-notices";
import { StepForm } from "@/components/form/step-form";
import { goBack, openStepFromReview } from "@/components/form/step-history";
import { FormContext, useForm, useFormState } from "@/components/form/use-form";
import { Holder } from "@/components/session/holder";
import { useApplication } from "@/components/session/session-context";
import { useWindowTitle } from "@/components/site/window-title";
import { Card } from "@/components/ui/card";
import { ErrorSummary } from "@/components/ui/error-summary";
import { StepIndicator } from "@/components/ui/step-indicator";
import { isTokenStored } from "@/lib/client/browser-storage";
import { draftDays } from "@/lib/client/drafts";
import { savedAnswers } from "@/lib/domain/application";
import { type AnswerStep, reviewStep, stepNumbers, steps } from "@/lib/domain/journey";
import { AgentStep } from "./agent-step";
import { DraftOnly } from "./draft-only";
import { LandlordStep } from "./landlord-step";
import { LeaseStep } from "./lease-step";
import { ReviewStep } from "./review-step";

const screens: Record<AnswerStep, ComponentType> = { 1: LandlordStep, 2: AgentStep, 3: LeaseStep };
const stepList = stepNumbers.map((number) => ({ number, title: steps[number].title }));

/** /home: the form of an application that is still a draft. */
export default function ApplicationForm() {
  const { reference } = useApplication().application;
  return (
    <>
      <Holder />
      <DraftOnly>
        <DraftForm key={reference} />
      </DraftOnly>
    </>
  );
}

function DraftForm() {
  const form = useFormState();
  const { application, saved, state, step, draftOver, send } = form;
  const [showsRestored, setShowsRestored] = useState(() =>
    // A draft of consent ticks alone has no typed text to announce.
    savedAnswers.some((name) => name in draftOver(saved).answers),
  );
  const { submitError } = noticesForStep(state, step);
  const headingRef = useHeadingFocus(step);
  const change = (target: AnswerStep) => openStepFromReview(target, step);
  const title = (
    <h1 ref={headingRef} tabIndex={-1} className="font-bold text-xl max-sm:-mb-2 sm:text-2xl">
      {steps[step].heading}
    </h1>
  );
  return (
    <FormContext value={form}>
      <div className="flex flex-col gap-3 sm:gap-6">
        <StepIndicator steps={stepList} current={step} completed={application.savedSteps} />
        <OfflineNotice />
        {/* The review has its own banner for unsaved changes. */}
        {showsRestored && step !== reviewStep && <RestoredNotice onDismiss={() => setShowsRestored(false)} />}
        <SubmitErrorBanner error={submitError} onDismiss={() => send({ type: "dismiss" })} onGo={change} />
        {step === reviewStep ? (
          <ReviewStepScreen title={title} onChange={change} onUndo={() => setShowsRestored(false)} />
        ) : (
          <AnswerStepScreen key={step} step={step} title={title} />
        )}
      </div>
    </FormContext>
  );
}

function ReviewStepScreen(props: ComponentProps<typeof ReviewStep>) {
  const { problems } = noticesForStep(useForm().state, reviewStep);
  useWindowTitle(steps[reviewStep].windowTitle, problems.length > 0);
  return (
    <>
      <ErrorSummary problems={problems} />
      <ReviewStep {...props} />
    </>
  );
}

function AnswerStepScreen({ step, title }: { step: AnswerStep; title: ReactNode }) {
  const { state } = useForm();
  const busy = isBusy(state);
  const Fields = screens[step];
  return (
    <StepForm step={step} busy={busy}>
      <Problems step={step} />
      <Card className="flex flex-col gap-6">
        {title}
        <Fields />
        <FormActions
          next="Next"
          busy={busy}
          busyLabel={step > 2 ? "Submitting..." : "Saving..."}
          waiting={state.phase === "waiting"}
          onBack={step > 1 ? () => goBack(step) : undefined}
        />
        {isTokenStored() && (
          <p className="mt-3 text-ink-soft text-sm">
            Until you press Next, we'll keep what you type on this device for up to {draftDays} days.
          </p>
        )}
      </Card>
    </StepForm>
  );
}

/** Shows the problems that Next has found, in the summary and the window title, until every problem is corrected. */
function Problems({ step }: { step: AnswerStep }) {
  const { problems } = noticesForStep(useForm().state, step);
  const errorOf = useErrors();
  const hasError = problems.some(({ id }) => errorOf(id));
  useWindowTitle(steps[step].windowTitle, hasError);
  return (
    <div className="mb-6 empty:hidden">
      <ErrorSummary problems={problems} corrected={hasError ? undefined : "Press Next to check again"} />
    </div>
  );
}

/** On every new screen but the first, scrolls to the top and focuses the heading, so that reading starts there. */
export function useHeadingFocus(screen: string | number): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(screen);
  useEffect(() => {
    if (shown.current === screen) return;
    shown.current = screen;
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, [screen]);
  return heading;
}
