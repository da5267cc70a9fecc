import { useAnswers, useShown } from "@/components/form/answers-context";
import type { Reviewed } from "@/components/form/use-reviewed";
import { CalculationSummary } from "@/components/review/calculation-summary";
import { ConsentBlock } from "@/components/review/consent-block";
import { useReviewRows } from "@/components/review/use-review-rows";
import { Banner } from "@/components/ui/banner";
import { SummaryList } from "@/components/ui/summary-list";
import { type ApplicationAnswers, answerNames, namesOf } from "@/lib/domain/application";
import { type AnswerStep, answerSteps, steps } from "@/lib/domain/journey";

interface ReviewStepProps {
  /** What the server has saved, which is what a submission submits. */
  saved: ApplicationAnswers;
  reviewed: Reviewed;
  busy: boolean;
  onChange: (step: AnswerStep) => void;
}

export function ReviewStep({ saved, reviewed, busy, onChange }: ReviewStepProps) {
  const { invited, answer } = useAnswers();
  const values = useShown(...answerNames);
  const rowsOf = useReviewRows(saved, { invited, read: reviewed.read?.answers });
  const unsaved = answerSteps.filter((step) => namesOf(step).some((name) => values[name] !== saved[name]));
  return (
    <>
      {unsaved.length > 0 && (
        <Banner tone="info">
          <p>
            You have changed answers in {unsaved.map((step) => steps[step].title).join(", ")} that are not saved yet.
          </p>
          <p className="font-normal">Below is what is saved. Open the section and press Next to save your changes.</p>
        </Banner>
      )}
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
        consent={values}
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
