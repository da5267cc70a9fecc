import type { FormEvent, ReactNode } from "react";
import { FormActions } from "@/components/form/form-actions";
import { isBusy } from "@/components/form/form-machine";
import { goBack } from "@/components/form/step-history";
import { useForm } from "@/components/form/use-form";
import { useReview } from "@/components/form/use-review";
import { CalculationSummary } from "@/components/review/calculation-summary";
import { ConsentBlock } from "@/components/review/consent-block";
import { useReviewRows } from "@/components/review/use-review-rows";
import { WindowTitle } from "@/components/site/window-title";
import { Card } from "@/components/ui/card";
import { SummaryList } from "@/components/ui/summary-list";
import { type AnswerStep, answerSteps, reviewStep, steps } from "@/lib/domain/journey";
import { blockedReason, StepLink, UndoButtons, UndoneNote, UnsavedBanner } from "./unsaved-changes";

/** Step 4. It shows what the server has saved, because that is what a submission submits. */
export function ReviewStep({ title }: { title: ReactNode }) {
  const { application, saved, reviewed } = useForm();
  const rowsOf = useReviewRows(saved, { invited: application.invited, read: reviewed.read?.answers });
  return (
    <ReviewForm title={title} onBack={() => goBack(reviewStep)}>
      <WindowTitle title={steps[reviewStep].windowTitle} />
      {answerSteps.map((step) => (
        <SummaryList key={step} title={steps[step].title} rows={rowsOf(step)} action={<ChangeLink step={step} />} />
      ))}
    </ReviewForm>
  );
}

/** `children` is the link's text after 'Change'. By default, screen readers hear the step's title. */
export function ChangeLink({ step, children }: { step: AnswerStep; children?: ReactNode }) {
  return (
    <StepLink step={step} className="inline-flex min-h-11 items-center">
      Change{children ?? <span className="sr-only"> {steps[step].title}</span>}
    </StepLink>
  );
}

interface ReviewFormProps {
  title: ReactNode;
  /** Why the application cannot be submitted, regardless of the consent. */
  incomplete?: string;
  onBack: () => void;
  /** The lists of answers. */
  children: ReactNode;
}

/** The form of both reviews: the answers, the consent, and the reason if the application cannot be submitted. */
export function ReviewForm({ title, incomplete, onBack, children }: ReviewFormProps) {
  const form = useForm();
  const { saved, reviewed, state, unsaved } = form;
  const { consent, change, submit, undone, undo } = useReview(form);
  const busy = isBusy(state);
  const blocked = incomplete ?? blockedReason(unsaved, consent);

  function send(event: FormEvent) {
    event.preventDefault();
    if (!blocked) void submit();
  }

  return (
    <form noValidate aria-busy={busy} onSubmit={send}>
      <Card className="flex flex-col gap-6">
        {title}
        {!incomplete && <UnsavedBanner unsaved={unsaved} />}
        {children}
        <CalculationSummary values={saved} read={reviewed.read?.answers} />
        <ConsentBlock
          text={reviewed.consent}
          read={reviewed.read?.consent}
          consent={consent}
          onChange={change}
          disabled={busy}
        />
        <FormActions
          next="Submit Application"
          busyLabel={state.step === reviewStep ? "Submitting..." : "Saving..."}
          blocked={blocked}
          note={<UndoneNote undone={undone} />}
          onBack={onBack}
        >
          {!incomplete && <UndoButtons {...{ unsaved, undone, busy }} onUndo={undo} />}
        </FormActions>
      </Card>
    </form>
  );
}
