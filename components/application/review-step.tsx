import { Banner } from "@/components/ui/banner";
import { SummaryList } from "@/components/ui/summary-list";
import { type AnswerStep, steps } from "@/lib/domain/journey";
import { useAnswers } from "./answers-context";
import { CalculationSummary } from "./calculation-summary";
import { ConsentBlock } from "./consent-block";
import { type FormValues, stepFields } from "./form-values";
import { useReviewRows } from "./review-rows";

interface ReviewStepProps {
  /** What the server holds: the review shows what a submission would submit. */
  saved: FormValues;
  busy: boolean;
  onChange: (step: AnswerStep) => void;
}

export function ReviewStep({ saved, busy, onChange }: ReviewStepProps) {
  const { values, answer } = useAnswers();
  const rows = useReviewRows(saved);
  const unsaved = ([1, 2, 3] as const).filter((step) => stepFields[step].some((name) => values[name] !== saved[name]));
  const change = (step: AnswerStep) => <ChangeLink step={step} onChange={onChange} />;
  return (
    <>
      {unsaved.length > 0 && (
        <Banner tone="info">
          <p>You have changed answers in {unsaved.map(titleOf).join(", ")} that are not saved yet.</p>
          <p className="font-normal">Below is what is saved. Open the section and press Next to save your changes.</p>
        </Banner>
      )}
      <SummaryList title={titleOf(1)} rows={[...rows.personal, ...rows.property]} action={change(1)} />
      <SummaryList title={titleOf(2)} rows={rows.agency} action={change(2)} />
      <SummaryList title={titleOf(3)} rows={rows.lease} action={change(3)} />
      <CalculationSummary values={saved} />
      <ConsentBlock consent={values} onChange={answer} disabled={busy} />
    </>
  );
}

function titleOf(step: AnswerStep): string {
  return steps[step - 1]?.title ?? "";
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
      Change<span className="sr-only"> {titleOf(step)}</span>
    </a>
  );
}
