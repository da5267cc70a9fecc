"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import type { FormEvent } from "react";
import { useShownOf } from "@/components/form/answers-context";
import { FormActions } from "@/components/form/form-actions";
import { isBusy, shownAt } from "@/components/form/form-machine";
import { OfflineNotice, TroubleBanner } from "@/components/form/form-notices";
import { useForm } from "@/components/form/use-form";
import { CalculationSummary } from "@/components/review/calculation-summary";
import { ConsentBlock } from "@/components/review/consent-block";
import { useReviewRows } from "@/components/review/use-review-rows";
import { Holder } from "@/components/session/holder";
import { useApplication } from "@/components/session/session-context";
import { useWindowTitle } from "@/components/site/window-title";
import { Banner } from "@/components/ui/banner";
import { Card } from "@/components/ui/card";
import { SummaryList } from "@/components/ui/summary-list";
import { namesOf } from "@/lib/domain/application";
import { type AnswerStep, answerSteps, resumeStep, reviewStep, steps } from "@/lib/domain/journey";
import { DraftOnly } from "./draft-only";
import { blockedReason, UndoButtons, UndoneNote, UnsavedBanner } from "./unsaved-changes";

/** /review&submit: the saved application on one page, to agree to and submit. */
export function StandaloneReview() {
  const { reference } = useApplication().application;
  return (
    <>
      <Holder />
      <DraftOnly>
        <Review key={reference} />
      </DraftOnly>
    </>
  );
}

function Review() {
  const { application, saved, reviewed, answers, unsaved, undone, undo, state, submit, dismiss } = useForm();
  const consent = useShownOf(answers, namesOf(reviewStep));
  const router = useRouter();
  const rowsOf = useReviewRows(saved, { invited: application.invited, read: reviewed.read?.answers });
  const personal = rowsOf(1);
  const isProperty = ({ name }: { name: string }) => name === "propertyAddress";
  const isOther = (step: AnswerStep) => step !== 1 && step !== 3;
  const missing = resumeStep(application);
  const open = (step: AnswerStep) => router.push(`/home?step=${step}&then=review`);
  const isComplete = missing === reviewStep;
  const blocked = isComplete ? blockedReason(unsaved, consent, open) : "To submit, complete your application first.";
  const busy = isBusy(state);
  useWindowTitle("Check and send your application");

  function send(event: FormEvent) {
    event.preventDefault();
    if (!blocked) void submit();
  }

  return (
    <form noValidate aria-busy={busy} onSubmit={send} className="flex flex-col gap-6">
      <OfflineNotice />
      <TroubleBanner trouble={shownAt(state, reviewStep).trouble} onDismiss={dismiss} onGo={open} />
      <Card>
        <div className="flex flex-col gap-6">
          <h1 className="font-bold text-2xl">Review Your Application</h1>
          {!isComplete && (
            <Banner tone="info">
              <p>Your application is not complete yet.</p>
              <Link prefetch={false} href={`/home?step=${missing}`} className="link inline-flex min-h-11 items-center">
                Go on with {steps[missing].title}
              </Link>
            </Banner>
          )}
          {isComplete && <UnsavedBanner unsaved={unsaved} />}
          <SummaryList title="Personal Details" rows={personal.filter((row) => !isProperty(row))} />
          <SummaryList title="Property & Rental Details" rows={[...personal.filter(isProperty), ...rowsOf(3)]} />
          {answerSteps.filter(isOther).map((step) => (
            <SummaryList key={step} title={steps[step].heading} rows={rowsOf(step)} />
          ))}
          <CalculationSummary values={saved} read={reviewed.read?.answers} />
          <ConsentBlock
            text={reviewed.consent}
            read={reviewed.read?.consent}
            consent={consent}
            onChange={answers.answer}
            disabled={busy}
          />
          <FormActions
            next="Submit Application"
            busy={busy}
            busyLabel="Submitting..."
            waiting={state.phase === "waiting"}
            blocked={blocked}
            note={<UndoneNote undone={undone} />}
            onBack={() => router.push("/home")}
          >
            {isComplete && <UndoButtons {...{ unsaved, undone, busy }} onUndo={undo} />}
          </FormActions>
        </div>
      </Card>
    </form>
  );
}
