"use client";

import { usePathname } from "next/navigation";
import { type ComponentType, type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { useLastErrors, useStepValues } from "@/components/application/fields/answer-field";
import { ReviewStep } from "@/components/application/review/review-step";
import { StandaloneReview } from "@/components/application/review/standalone-review";
import { FormActions } from "@/components/application/saving/form-actions";
import { OfflineNotice, RestoredNotice, SubmitErrorBanner } from "@/components/application/saving/form-notices";
import { FormScreen } from "@/components/application/saving/form-screen";
import { isSubmitting, noticesForStep } from "@/components/application/saving/form-state";
import { StepForm } from "@/components/application/saving/step-form";
import { goBack } from "@/components/application/saving/step-history";
import { useForm } from "@/components/application/saving/use-form";
import { WindowTitle } from "@/components/site/window-title";
import { Card } from "@/components/ui/card";
import { ErrorSummary, focusField } from "@/components/ui/error-summary";
import { StepIndicator } from "@/components/ui/step-indicator";
import { areDraftsStored } from "@/lib/client/browser-storage";
import { draftDays } from "@/lib/client/draft-expiry";
import { type AnswerStep, isReviewPath, reviewStep, type StepNumber, stepNumbers, steps } from "@/lib/domain/journey";
import type { ShownConsent } from "@/lib/domain/reviewed";
import { AgentStep, LandlordStep } from "./contact-steps";
import { LeaseStep } from "./lease-step";

const screens: Record<AnswerStep, ComponentType> = { 1: LandlordStep, 2: AgentStep, 3: LeaseStep };
const stepList = stepNumbers.map((number) => ({ number, title: steps[number].title }));

const restoredId = "restored";

/** /home and /review&submit: the form of an application that is still a draft, or its review on one page. */
export default function ApplicationForm({ consent }: { consent: ShownConsent }) {
  const isReview = isReviewPath(usePathname());
  return (
    <FormScreen review={isReview ? "review-page" : "review"} consent={consent}>
      {isReview ? <StandaloneReview /> : <Steps />}
    </FormScreen>
  );
}

/**
 * The step-progress wrapper (specification, section 2): the indicator, the notices with the dismissible error banner, and the
 * step. The spinner is on the step's own button (form-actions.tsx).
 */
function Steps() {
  const { application, step, unsaved } = useForm();
  /** The steps with answers from an earlier visit that are not saved yet. */
  const [restored, setRestored] = useState(unsaved);
  // A step leaves the list for good. What is typed later was not restored.
  if (!restored.every((at) => unsaved.includes(at))) setRestored(restored.filter((at) => unsaved.includes(at)));
  const isRestored = restored.some((at) => at === step);
  const headingRef = useHeadingFocus(step);
  useManualScrollRestoration();
  const title = (
    <h1
      ref={headingRef}
      tabIndex={-1}
      aria-describedby={isRestored ? restoredId : undefined}
      className="font-bold text-xl max-sm:-mb-2 sm:text-2xl"
    >
      {steps[step].heading}
    </h1>
  );
  return (
    <div className="flex flex-col gap-3 sm:gap-6">
      <StepIndicator steps={stepList} current={step} completed={application.savedSteps} />
      <OfflineNotice step={step} />
      {isRestored && <RestoredNotice id={restoredId} onDismiss={() => setRestored([])} />}
      <SubmitErrorBanner step={step} />
      {step === reviewStep ? <ReviewStep title={title} /> : <AnswerStepScreen key={step} step={step} title={title} />}
    </div>
  );
}

function AnswerStepScreen({ step, title }: { step: AnswerStep; title: ReactNode }) {
  const { state } = useForm();
  const Fields = screens[step];
  return (
    <StepForm step={step}>
      <Problems step={step} />
      <Card className="flex flex-col gap-6">
        {title}
        <Fields />
        <FormActions
          next="Next"
          // Step 3 says 'Submitting...' as well (specification, section 2).
          busyLabel={step > 2 || isSubmitting(state) ? "Submitting..." : "Saving..."}
          onBack={step > 1 ? () => goBack(step) : undefined}
        />
        <KeptNote />
      </Card>
    </StepForm>
  );
}

/** Rendered again with every change, because the device may refuse to store it. */
function KeptNote() {
  useStepValues();
  if (!areDraftsStored()) return null;
  return (
    <p className="mt-3 text-ink-soft text-sm">
      We only receive this when you press Next. Until then, it stays on this device for up to {draftDays} days.
    </p>
  );
}

/** Shows the problems that the Next button has found, in the summary and the window title, until every problem is corrected. */
function Problems({ step }: { step: AnswerStep }) {
  const { problems } = noticesForStep(useForm().state, step);
  const errors = useLastErrors();
  const isCorrected = Object.keys(errors).length === 0;
  return (
    <>
      <WindowTitle title={steps[step].windowTitle} hasError={problems.length > 0 && !isCorrected} />
      <div className="mb-6 empty:hidden">
        <ErrorSummary problems={problems} errors={errors} isCorrected={isCorrected} />
      </div>
    </>
  );
}

/**
 * On every new screen but the first, scrolls to the top and focuses the heading, so that reading starts there. An address that
 * names a field, as a review's Change link does, focuses that field, on the first screen too.
 */
function useHeadingFocus(step: StepNumber): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef<StepNumber>(null);
  useEffect(() => {
    const isFirst = shown.current === null;
    if (shown.current === step) return;
    shown.current = step;
    if (focusField(window.location.hash.slice(1)) || isFirst) return;
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, [step]);
  return heading;
}

/**
 * After a step back, the browser would restore the position at which the step was left, and a double tap would hit Back again.
 * A reload keeps its position, even if the phone reloads a tab that was in the background.
 */
function useManualScrollRestoration(): void {
  useEffect(() => {
    const choose = () => {
      window.history.scrollRestoration = document.hidden ? "auto" : "manual";
    };
    // The browser's Back has led here from another screen, and nothing else resets that screen's position.
    if (window.history.scrollRestoration === "manual") window.scrollTo(0, 0);
    choose();
    document.addEventListener("visibilitychange", choose);
    return () => {
      document.removeEventListener("visibilitychange", choose);
      window.history.scrollRestoration = "auto";
    };
  }, []);
}
