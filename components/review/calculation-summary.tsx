import { useMoney } from "@/components/site/use-money";
import { SummaryList } from "@/components/ui/summary-list";
import { isCapped, maximumAdvance } from "@/lib/domain/advance";
import type { ApplicationAnswers } from "@/lib/domain/application";
import { centsOf } from "@/lib/domain/money";
import { AdvanceSum } from "./advance-sum";

interface CalculationSummaryProps {
  values: ApplicationAnswers;
  /** What the person had read. */
  read?: ApplicationAnswers;
}

/**
 * Shown only if there is a weekly rent (specification, section 2, step 4). The rental advance is the loan amount, whatever the
 * invoice (docs/decisions/one-amount.md).
 */
export function CalculationSummary({ values, read = values }: CalculationSummaryProps) {
  const { whole } = useMoney();
  const { currentRent, loanAmount } = values;
  if (centsOf(currentRent) <= 0) return null;
  return (
    <SummaryList
      title="Calculation Summary"
      rows={[
        {
          label: "Rental Advance",
          value: <strong className="font-semibold text-xl">{whole(centsOf(loanAmount))}</strong>,
          otherwise: "Not specified",
          change:
            read.loanAmount === loanAmount ? undefined : { from: whole(centsOf(read.loanAmount)), sinceRead: true },
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
