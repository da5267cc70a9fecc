"use client";

import { type ComponentType, type FormEvent, useState } from "react";
import { AnswersContext, useShownOf } from "@/components/form/answers-context";
import { FormActions } from "@/components/form/form-actions";
import { isBusy, shownAt } from "@/components/form/form-machine";
import { OfflineNotice, RestoredNotice, TroubleBanner } from "@/components/form/form-notices";
import { goBack, goChange } from "@/components/form/step-history";
import { useForm } from "@/components/form/use-form";
import { Holder } from "@/components/session/holder";
import { useApplication } from "@/components/session/session-context";
import { useWindowTitle } from "@/components/site/window-title";
import { Card } from "@/components/ui/card";
import { ErrorSummary } from "@/components/ui/error-summary";
import { StepIndicator } from "@/components/ui/step-indicator";
import { useHeadingFocus } from "@/components/ui/use-heading-focus";
import { namesOf } from "@/lib/domain/application";
import { type AnswerStep, reviewStep, stepNumbers, steps } from "@/lib/domain/journey";
import { AgentStep } from "./agent-step";
import { DraftOnly } from "./draft-only";
import { LandlordStep } from "./landlord-step";
import { LeaseStep } from "./lease-step";
import { ReviewStep } from "./review-step";
import { blockedReason, UndoButtons, UndoneNote } from "./unsaved-changes";

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
  const {
    application,
    saved,
    reviewed,
    isRestored,
    state,
    step,
    answers,
    unsaved,
    undone,
    undo,
    next,
    submit,
    dismiss,
  } = useForm();
  const [showsRestored, setShowsRestored] = useState(isRestored);
  const { problems, trouble } = shownAt(state, step);
  const { heading, windowTitle } = steps[step];
  const busy = isBusy(state);
  const consent = useShownOf(answers, namesOf(reviewStep));
  const change = (target: AnswerStep) => goChange(target, step);
  const onReview = step === reviewStep;
  const undoStep = (target: AnswerStep) => {
    setShowsRestored(false);
    undo(target);
  };
  const blocked = onReview && blockedReason(unsaved, consent, change);

  useWindowTitle(windowTitle, problems.length > 0);
  const headingRef = useHeadingFocus(step);

  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    // Enter submits with the focus still in a field. Moving it to the button runs the field's blur handler first.
    const { submitter } = event.nativeEvent as SubmitEvent;
    submitter?.focus();
    if (step !== reviewStep) void next(step);
    else if (!blocked) void submit();
  }

  const Screen = step === reviewStep ? null : screens[step];
  return (
    <AnswersContext value={answers}>
      <form noValidate aria-busy={busy} onSubmit={send} className="flex flex-col gap-6">
        <StepIndicator steps={stepList} current={step} completed={application.savedSteps} />
        <OfflineNotice />
        {/* The review says in its own words what is not saved. */}
        {showsRestored && !onReview && <RestoredNotice onDismiss={() => setShowsRestored(false)} />}
        <TroubleBanner trouble={trouble} onDismiss={dismiss} onGo={change} />
        <ErrorSummary problems={problems} />
        <Card className="flex flex-col gap-6">
          <h1 ref={headingRef} tabIndex={-1} className="font-bold text-2xl">
            {heading}
          </h1>
          {Screen ? <Screen /> : <ReviewStep {...{ saved, reviewed, unsaved, busy }} onChange={change} />}
          <FormActions
            next={step === reviewStep ? "Submit Application" : "Next"}
            busy={busy}
            busyLabel={step > 2 ? "Submitting..." : "Saving..."}
            waiting={state.phase === "waiting"}
            blocked={blocked}
            note={onReview && <UndoneNote undone={undone} />}
            onBack={step > 1 ? () => goBack(step) : undefined}
          >
            {onReview && <UndoButtons {...{ unsaved, undone, busy }} onUndo={undoStep} />}
          </FormActions>
        </Card>
      </form>
    </AnswersContext>
  );
}
