import { ToTheCent } from "@/components/site/use-money";
import { SummaryList } from "@/components/ui/summary-list";
import type { ApplicationView } from "@/lib/domain/application";
import { answerSteps, steps } from "@/lib/domain/journey";
import { shownAnswers } from "@/lib/domain/shown-answers";
import { CalculationSummary } from "./calculation-summary";
import { useReviewRows } from "./use-review-rows";

/** The answers as sent, to the cent. Changes from the invitation are not marked on a receipt. */
export function SentAnswers({ application }: { application: ApplicationView }) {
  return (
    <ToTheCent value={true}>
      <Answers application={application} />
    </ToTheCent>
  );
}

function Answers({ application }: { application: ApplicationView }) {
  const values = shownAnswers(application, application.source);
  const rowsOf = useReviewRows(values);
  return (
    <>
      {answerSteps.map((step) => (
        <SummaryList key={step} title={steps[step].title} rows={rowsOf(step)} />
      ))}
      <CalculationSummary values={values} />
    </>
  );
}
