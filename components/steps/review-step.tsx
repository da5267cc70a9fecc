import { useAnswers, useShown } from "@/components/form/answers-context";
import type { Reviewed } from "@/components/form/use-reviewed";
import { CalculationSummary } from "@/components/review/calculation-summary";
import { ConsentBlock } from "@/components/review/consent-block";
import { useReviewRows } from "@/components/review/use-review-rows";
import { SummaryList } from "@/components/ui/summary-list";
import { type ApplicationAnswers, namesOf } from "@/lib/domain/application";
import { type AnswerStep, answerSteps, reviewStep, steps } from "@/lib/domain/journey";
import { UnsavedBanner } from "./unsaved-changes";

interface ReviewStepProps {
  /** What the server has saved, which is what a submission submits. */
  saved: ApplicationAnswers;
  reviewed: Reviewed;
  unsaved: AnswerStep[];
  busy: boolean;
  onChange: (step: AnswerStep) => void;
}

export function ReviewStep({ saved, reviewed, unsaved, busy, onChange }: ReviewStepProps) {
  const { invited, answer } = useAnswers();
  const consent = useShown(...namesOf(reviewStep));
  const rowsOf = useReviewRows(saved, { invited, read: reviewed.read?.answers });
  return (
    <>
      <UnsavedBanner unsaved={unsaved} />
      {answerSteps.map((step) => (
        <SummaryList
          key={step}
          title={steps[step].title}
          rows={rowsOf(step)}
          action={<ChangeLink step={step} onChange={onChange} />}
        />
      ))}
      <CalculationSummary values={saved} read={reviewed.read?.answers} />
      <ConsentBlock
        text={reviewed.consent}
        read={reviewed.read?.consent}
        consent={consent}
        onChange={answer}
        disabled={busy}
      />
    </>
  );
}

function ChangeLink({ step, onChange }: { step: AnswerStep; onChange: (step: AnswerStep) => void }) {
  return (
    <a
      href={`?step=${step}&then=review`}
      className="link inline-flex min-h-11 items-center"
      onClick={(event) => {
        event.preventDefault();
        onChange(step);
      }}
    >
      Change<span className="sr-only"> {steps[step].title}</span>
    </a>
  );
}
