import { CalculationSummary } from "@/components/application/calculation-summary";
import { formValues } from "@/components/application/form-values";
import { useReviewRows } from "@/components/application/review-rows";
import { SummaryList, type SummaryRow } from "@/components/ui/summary-list";
import type { ApplicationView } from "@/lib/domain/application";
import { steps } from "@/lib/domain/journey";

/** A receipt tells what was sent; what the invitation had said before is no part of it. */
const sent = ({ label, value, otherwise }: SummaryRow): SummaryRow => ({ label, value, otherwise });

export function SentAnswers({ application }: { application: ApplicationView }) {
  const values = formValues(application, application.source);
  const { personal, property, agency, lease } = useReviewRows(values);
  const sections = [[...personal, ...property], agency, lease];
  return (
    <>
      {sections.map((rows, index) => {
        const title = steps[index]?.title ?? "";
        return <SummaryList key={title} title={title} rows={rows.map(sent)} />;
      })}
      <CalculationSummary values={values} />
    </>
  );
}
