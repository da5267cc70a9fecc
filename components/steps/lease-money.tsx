import { useState } from "react";
import { AnswerField, useStepValues } from "@/components/form/answer-field";
import { useForm } from "@/components/form/use-form";
import { AdvanceTable } from "@/components/review/calculation-summary";
import { useBrand } from "@/components/site/brand-context";
import { useMoney } from "@/components/site/use-money";
import { MoneyField } from "@/components/ui/money-field";
import { loanAmountWithExtra, maxExtraFunds, maximumAdvance, partsOf } from "@/lib/domain/advance";
import { centsOf, isUnreadable, tidyAmount, writeCents } from "@/lib/domain/money";
import { amountMessage } from "@/lib/schemas/kinds";

const weeksPerYear = 52;
/** From this many cents, an amount is repeated below the field with thousands separators. */
const longAmount = 1_000_00;

export function WeeklyRentField() {
  const { currentRent } = useStepValues().values;
  const { exact } = useMoney();
  const rent = centsOf(currentRent);
  return (
    <AnswerField
      name="currentRent"
      echo={rent > 0 ? `${exact(rent)} a week, ${exact(rent * weeksPerYear)} a year` : ""}
    />
  );
}

export function RepairCostsField() {
  const { invited } = useForm().application;
  const { invoiceAmount } = useStepValues().values;
  const { exact } = useMoney();
  const quoted = centsOf(invited.invoiceAmount);
  const costs = centsOf(invoiceAmount);
  return (
    <AnswerField
      name="invoiceAmount"
      hint={quoted > 0 ? `Your highest quote is ${exact(quoted)}.` : "Enter 0 if there's nothing to pay."}
      echo={costs >= longAmount && costs !== quoted && exact(costs)}
    />
  );
}

export function LoanAmountField() {
  const { whole } = useMoney();
  const { costNote } = useBrand();
  return (
    <div className="grid gap-2">
      <AnswerField
        name="loanAmount"
        hint={`You can change it, up to ${whole(maximumAdvance)}.`}
        most={maximumAdvance}
        mostReason={`We've changed it to ${whole(maximumAdvance)}, the most we can advance.`}
      />
      <p className="text-ink-soft text-sm">{costNote}</p>
    </div>
  );
}

/** Shows the loan amount without the invoice; editing it changes the loan amount (docs/decisions/one-amount.md). */
export function ExtraFundsField() {
  const { values, change, leave } = useStepValues();
  const { loanAmount, invoiceAmount } = values;
  const { symbol, exact } = useMoney();
  const brand = useBrand();
  const [isExtraUnreadable, setIsExtraUnreadable] = useState(false);
  // Once another field or choice has set the loan amount, the extra funds follow from it.
  if (isExtraUnreadable && loanAmount !== "") setIsExtraUnreadable(false);
  const { extra } = partsOf(values);
  const most = maxExtraFunds(invoiceAmount);
  const limit = exact(maximumAdvance);

  function changeExtra(typed: string): void {
    const unreadable = isUnreadable(typed);
    setIsExtraUnreadable(unreadable);
    change(({ invoiceAmount }) => ({
      loanAmount: unreadable ? "" : loanAmountWithExtra(tidyAmount(typed), invoiceAmount),
    }));
  }

  return (
    <MoneyField
      id="extraFunds"
      label="Extra funds"
      hint={
        most > 0
          ? `Up to ${exact(most)} more. It's part of the loan amount.`
          : `Your invoice already reaches the ${limit} limit.`
      }
      symbol={symbol}
      readOnly={most === 0}
      most={most}
      mostReason={`We've changed it to ${exact(most)}. With your invoice, that's ${limit}, the most we can advance.`}
      value={loanAmount === "" ? "" : writeCents(extra)}
      error={isExtraUnreadable ? amountMessage("Extra funds", brand) : undefined}
      echo={extra >= longAmount && exact(extra)}
      onType={changeExtra}
      onUnreadable={changeExtra}
      onBlur={() => leave("loanAmount")}
    />
  );
}

export function Sum() {
  return <AdvanceTable values={useStepValues().values} />;
}
