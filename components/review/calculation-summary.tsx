import { useMoney } from "@/components/site/use-money";
import { SummaryList } from "@/components/ui/summary-list";
import { extraFunds, isCapped, maximumAdvance } from "@/lib/domain/advance";
import type { ApplicationAnswers } from "@/lib/domain/application";
import { centsOf } from "@/lib/domain/money";
import { AdvanceSum } from "./advance-sum";

/** Shown only if there is a weekly rent (specification, section 2, step 4). */
export function CalculationSummary({ values }: { values: ApplicationAnswers }) {
  const { whole } = useMoney();
  const { currentRent, invoiceAmount, loanAmount } = values;
  if (centsOf(currentRent) <= 0) return null;
  const advance = extraFunds(loanAmount, invoiceAmount) + centsOf(invoiceAmount);
  return (
    <SummaryList
      title="Calculation Summary"
      rows={[
        {
          label: "Rental Advance",
          value: <strong className="font-semibold text-xl">{whole(advance)}</strong>,
          otherwise: "Not specified",
        },
      ]}
    >
      <div className="mt-2 text-ink-soft text-sm tabular-nums">
        <AdvanceSum values={values} />
      </div>
      {isCapped(currentRent) && (
        <p className="mt-2 text-sm">* Capped at maximum loan amount of {whole(maximumAdvance)}</p>
      )}
    </SummaryList>
  );
}
