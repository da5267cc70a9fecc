import { useMoney } from "@/components/site/use-money";
import { SummaryList } from "@/components/ui/summary-list";
import {
  clampAdvance,
  isCapped,
  loanAmountFor,
  maximumAdvance,
  type SumAnswers,
  sharesOf,
  totalOf,
  uncoveredInvoice,
} from "@/lib/domain/advance";
import type { ApplicationAnswers } from "@/lib/domain/application";
import { centsOf } from "@/lib/domain/money";

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

/**
 * How the loan amount is worked out, with a note if it is capped or the applicant has chosen another, and what of the invoice
 * it does not cover.
 */
export function AdvanceSum({ values }: { values: SumAnswers & { loanAmount: string } }) {
  const { exact } = useMoney();
  const shares = sharesOf(values).filter(({ total }) => total > 0);
  if (shares.length === 0) return null;

  const total = totalOf(shares);
  const parts = shares.map(({ amount, times, unit, total }) =>
    times === 1 ? `${exact(total)} ${unit}` : `${exact(amount)} × ${times} ${unit} = ${exact(total)}`,
  );
  const { loanAmount } = values;
  const uncovered = loanAmount === "" ? 0 : uncoveredInvoice(loanAmount, values.invoiceAmount);
  const isOwnChoice = loanAmount !== "" && centsOf(loanAmount) !== centsOf(loanAmountFor(values));
  return (
    <>
      <span className="block">{parts.join(" + ")}</span>
      {total > maximumAdvance ? (
        <span className="block">
          That is {exact(total)}. The most we can advance is {exact(maximumAdvance)}.
        </span>
      ) : (
        shares.length > 1 && <span className="block">Together {exact(clampAdvance(total))}.</span>
      )}
      {isOwnChoice && <span className="block">You are asking for {exact(centsOf(loanAmount))}.</span>}
      {uncovered > 0 && <span className="block">{exact(uncovered)} of the invoice is not covered by the advance.</span>}
    </>
  );
}
