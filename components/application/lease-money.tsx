import type { Change } from "@/components/ui/changed-mark";
import { MoneyField } from "@/components/ui/money-field";
import {
  clampedLoanAmount,
  extraFunds,
  loanAmountFor,
  loanAmountWithExtra,
  maximumAdvance,
} from "@/lib/domain/advance";
import { centsOf, writeCents } from "@/lib/domain/money";
import { AdvanceSum } from "./advance-sum";
import { useAnswers } from "./answers-context";
import { invoiceChangedFrom } from "./changed-from";
import { extraFundsLabel, invoiceLabel, labels } from "./labels";
import { useMoney } from "./use-money";

const weeksOfYear = 52;
/** From here on an amount is easily misread without its thousands set apart. */
const long = 1_000_00;

/** The loan amount follows from the rent and the invoice whenever a person changes one of them. */
export function WeeklyRentField() {
  const { values, answer, leave, errorOf } = useAnswers();
  const { symbol, exact } = useMoney();
  const rent = centsOf(values.currentRent);
  return (
    <MoneyField
      id="currentRent"
      label={labels.currentRent}
      required
      symbol={symbol}
      value={values.currentRent}
      error={errorOf("currentRent")}
      echo={rent > 0 ? `${exact(rent)} a week, ${exact(rent * weeksOfYear)} a year` : ""}
      onType={(currentRent) => answer({ currentRent, loanAmount: loanAmountFor(currentRent, values.invoiceAmount) })}
      onBlur={() => leave("currentRent")}
    />
  );
}

export function RepairCostsField() {
  const { values, source, invited, answer, leave, errorOf } = useAnswers();
  const { symbol, exact } = useMoney();
  const quoted = centsOf(invited.invoiceAmount);
  const costs = centsOf(values.invoiceAmount);
  const from = invoiceChangedFrom(invited, values.invoiceAmount);
  // The loan amount moves with this field: its mark is the one that catches the eye.
  const changed: Change | undefined = from === undefined ? undefined : { from: exact(from), style: "animated" };
  return (
    <MoneyField
      id="invoiceAmount"
      label={invoiceLabel(source)}
      hint={quoted > 0 ? `Your highest quote is ${exact(quoted)}.` : "Enter 0 if nothing needs paying."}
      required
      symbol={symbol}
      value={values.invoiceAmount}
      error={errorOf("invoiceAmount")}
      changed={changed}
      echo={costs >= long && costs !== quoted && exact(costs)}
      onType={(invoiceAmount) =>
        answer({ invoiceAmount, loanAmount: loanAmountFor(values.currentRent, invoiceAmount) })
      }
      onBlur={() => leave("invoiceAmount")}
    />
  );
}

export function LoanAmountField() {
  const { values, answer, leave, errorOf } = useAnswers();
  const { symbol, whole } = useMoney();
  return (
    <MoneyField
      id="loanAmount"
      label={labels.loanAmount}
      hint={`Worked out from your rent and invoice. You can change it, up to ${whole(maximumAdvance)}.`}
      required
      symbol={symbol}
      most={maximumAdvance}
      value={values.loanAmount}
      error={errorOf("loanAmount")}
      echo={<AdvanceSum {...values} />}
      onType={(amount) => answer({ loanAmount: clampedLoanAmount(amount) })}
      onBlur={() => leave("loanAmount")}
    />
  );
}

/** The same number as the loan amount, seen from the invoice upwards. */
export function ExtraFundsField() {
  const { values, answer, leave } = useAnswers();
  const { symbol, exact } = useMoney();
  const { loanAmount, invoiceAmount } = values;
  const extra = extraFunds(loanAmount, invoiceAmount);
  return (
    <MoneyField
      id="extraFunds"
      label={extraFundsLabel}
      hint="Included in the loan amount above."
      symbol={symbol}
      most={Math.max(0, maximumAdvance - centsOf(invoiceAmount))}
      value={loanAmount === "" ? "" : writeCents(extra)}
      echo={extra >= long && exact(extra)}
      onType={(typed) => answer({ loanAmount: loanAmountWithExtra(typed, invoiceAmount) })}
      onBlur={() => leave("loanAmount")}
    />
  );
}
