import { clampAdvance, loanAmountFor, maximumAdvance, rentShare, weeksOfRent } from "@/lib/domain/advance";
import { centsOf } from "@/lib/domain/money";
import { useMoney } from "./use-money";

interface AdvanceSumProps {
  currentRent: string;
  invoiceAmount: string;
  loanAmount: string;
}

/** The sum behind the loan amount, as a person would write it down, and why it is not more. */
export function AdvanceSum({ currentRent, invoiceAmount, loanAmount }: AdvanceSumProps) {
  const { exact } = useMoney();
  const rent = rentShare(currentRent);
  const invoice = centsOf(invoiceAmount);
  if (rent <= 0 && invoice <= 0) return null;

  const total = rent + invoice;
  const parts = [
    rent > 0 && `${exact(centsOf(currentRent))} × ${weeksOfRent} weeks = ${exact(rent)}`,
    invoice > 0 && `${exact(invoice)} invoice`,
  ];
  const isOwnChoice = loanAmount !== "" && centsOf(loanAmount) !== centsOf(loanAmountFor(currentRent, invoiceAmount));
  return (
    <>
      <span className="block">{parts.filter(Boolean).join(" + ")}</span>
      {total > maximumAdvance ? (
        <span className="block">
          That is {exact(total)}. The most we can advance is {exact(maximumAdvance)}.
        </span>
      ) : (
        rent > 0 && invoice > 0 && <span className="block">Together {exact(clampAdvance(total))}.</span>
      )}
      {isOwnChoice && <span className="block">You are asking for {exact(centsOf(loanAmount))}.</span>}
    </>
  );
}
