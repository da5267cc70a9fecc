import Link from "next/link";
import { type FormEvent, Fragment, type ReactNode, useEffect, useRef } from "react";
import { FormActions } from "@/components/application/saving/form-actions";
import { LiveNotice } from "@/components/application/saving/form-notices";
import { loadStatusScreens } from "@/components/application/saving/form-screen";
import { isBusy, isSubmitting } from "@/components/application/saving/form-state";
import { goBack } from "@/components/application/saving/step-history";
import { useForm } from "@/components/application/saving/use-form";
import { WindowTitle } from "@/components/site/window-title";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { SummaryList } from "@/components/ui/summary-list";
import { preload } from "@/components/ui/use-on-demand";
import { type InvitedAnswers, labelOf, lockedAnswers, namesOf, type SavedAnswer } from "@/lib/domain/application";
import { type AnswerStep, answerSteps, resumeStep, reviewStep, steps } from "@/lib/domain/journey";
import { CalculationSummary } from "./calculation-summary";
import { ConsentBlock, whyBlocked } from "./consent-block";
import { loadSubmittedScreen } from "./submitted-screens";
import { useReview } from "./use-review";
import { useReviewRows } from "./use-review-rows";

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

interface StepLinkProps {
  step: AnswerStep;
  /** The field to land on. By default, the step's first one that can be changed. */
  field?: SavedAnswer;
  className?: string;
  children: ReactNode;
}

function firstField(step: AnswerStep, invited: InvitedAnswers): SavedAnswer | undefined {
  const locked: SavedAnswer[] = lockedAnswers(invited);
  return namesOf(step).find((name) => labelOf(name) !== "" && !locked.includes(name));
}

function StepLink({ step, field, className = "", children }: StepLinkProps) {
  const { application, state, stepPath, openStep } = useForm();
  const target = field ?? firstField(step, application.invited);
  return (
    <Link
      prefetch={false}
      href={stepPath(step, target)}
      aria-disabled={isSubmitting(state) || undefined}
      className={`link aria-disabled:text-ink-soft aria-disabled:no-underline ${className}`}
      onNavigate={(event) => {
        event.preventDefault();
        openStep(step, target);
      }}
    >
      {children}
    </Link>
  );
}

/** `children` is the link's text after 'Change'. By default, screen readers hear the step's title. */
export function ChangeLink({
  step,
  field,
  children,
}: Pick<StepLinkProps, "step" | "field"> & { children?: ReactNode }) {
  return (
    <StepLink step={step} field={field} className="inline-flex min-h-11 items-center">
      Change{children ?? <span className="sr-only"> {steps[step].title}</span>}
    </StepLink>
  );
}

const titleOf = (step: AnswerStep) => steps[step].title;

/** Writes 'A, B and C'. */
const listFormat = new Intl.ListFormat("en-GB");
const titlesOf = (list: AnswerStep[]) => listFormat.format(list.map(titleOf));

interface ReviewFormProps {
  title: ReactNode;
  onBack: () => void;
  children: ReactNode;
}

/**
 * The form of both reviews: the answers, the consent, and the reason if the application cannot be submitted. A submission
 * submits only what is saved, so unsaved changes block it: the applicant would think that they are included.
 */
export function ReviewForm({ title, onBack, children }: ReviewFormProps) {
  // Loaded while the review is read, because the connection may be lost right after the submission.
  useEffect(() => {
    for (const load of [loadStatusScreens, loadSubmittedScreen]) preload(load);
  }, []);
  const form = useForm();
  const { application, saved, reviewed, state, unsaved } = form;
  const { consent, change, submit, undone, undo, isSecondTap } = useReview(form);
  const undoneNote = useRef<HTMLParagraphElement>(null);
  const busy = isBusy(state);
  const hasUnsaved = unsaved.length > 0;
  const missingConsent = whyBlocked(consent);
  // What stands between the titles.
  const separators = listFormat.formatToParts(unsaved.map(titleOf)).filter(({ type }) => type === "literal");
  const isComplete = resumeStep(application) === reviewStep;
  const incomplete = isComplete ? undefined : "To submit, complete your application first.";

  const blocked =
    incomplete ??
    ((hasUnsaved || missingConsent) && (
      <div className="grid gap-2">
        {hasUnsaved && (
          <p className="border-accent border-l-4 pl-3">
            To submit, save or undo your changes in{" "}
            {unsaved.map((step, index) => (
              <Fragment key={step}>
                <span>{separators[index - 1]?.value}</span>
                <StepLink step={step}>{titleOf(step)}</StepLink>
              </Fragment>
            ))}
            <span>.</span>
          </p>
        )}
        {missingConsent && <p className="text-ink-soft">{missingConsent}</p>}
      </div>
    ));

  /** The button disappears, so the focus moves to the note, once React has rendered it. */
  function undoStep(step: AnswerStep) {
    undo(step);
    queueMicrotask(() => undoneNote.current?.focus());
  }

  function send(event: FormEvent) {
    event.preventDefault();
    if (!blocked) void submit();
  }

  return (
    <form noValidate onSubmit={send}>
      <Card className="flex flex-col gap-6">
        {title}
        {!incomplete && (
          <LiveNotice>
            {hasUnsaved && (
              <Banner tone="info" isAnnounced>
                <p>{`You've made changes in ${titlesOf(unsaved)} but haven't saved them.`}</p>
                <p className="font-normal">
                  Your saved answers are below. Save or undo your changes before you submit.
                </p>
              </Banner>
            )}
          </LiveNotice>
        )}
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
          busyLabel={isSubmitting(state) ? "Submitting..." : "Saving..."}
          blocked={blocked}
          note={
            undone.length > 0 && (
              <p ref={undoneNote} tabIndex={-1} className="border-accent border-l-4 pl-3">
                {`We've undone your changes in ${titlesOf(undone)}. You'll submit what's shown above.`}
              </p>
            )
          }
          onBack={() => {
            if (!isSecondTap()) onBack();
          }}
        >
          {!incomplete && hasUnsaved && (
            <div className="mb-6 flex flex-wrap gap-3">
              {unsaved.map((step) => (
                <Button key={step} variant="secondary" disabled={busy} onClick={() => undoStep(step)}>
                  Undo changes in {titleOf(step)}
                </Button>
              ))}
            </div>
          )}
        </FormActions>
      </Card>
    </form>
  );
}
