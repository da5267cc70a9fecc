import { useState } from "react";
import { AnswerField, useStepValues } from "@/components/form/answer-field";
import { useForm } from "@/components/form/use-form";
import { AdvanceTable } from "@/components/review/calculation-summary";
import { useBrand } from "@/components/site/brand-context";
import { useMoney } from "@/components/site/use-money";
import { MoneyField } from "@/components/ui/money-field";
import { loanAmountWithExtra, maxExtraFunds, maximumAdvance, partsOf } from "@/lib/domain/advance";
import { isAskedFor, type StepAnswers } from "@/lib/domain/application";
import { centsOf, isUnreadable, tidyAmount, writeCents } from "@/lib/domain/money";
import { amountMessage } from "@/lib/schemas/kinds";
import { LoanChoices } from "./loan-choices";

const weeksPerYear = 52;
/** From this many cents, an amount is repeated below the field with thousands separators. */
const longAmount = 1_000_00;

export function LeaseStep() {
  const { source, application } = useForm();
  const { values } = useStepValues<StepAnswers[3]>();
  const { exact, whole } = useMoney();
  const { costNote } = useBrand();
  const rent = centsOf(values.currentRent);
  const quoted = centsOf(application.invited.invoiceAmount);
  const costs = centsOf(values.invoiceAmount);
  return (
    <>
      <div className="grid gap-6 sm:grid-cols-2">
        <AnswerField name="leaseStartDate" />
        <AnswerField
          name="leaseEndDate"
          past="That date has passed. If there's a newer lease, enter its dates. If this one now runs from month to month, keep its date."
        />
      </div>
      {/* Below the dates, so that the first question starts in the upper third of a phone's screen. */}
      <p className="text-ink-soft">
        This lets us assess your eligibility and decide how much funding we can provide. If we have quotes, the repairs
        cost is pre-filled with the highest quote.
      </p>
      <AnswerField
        name="currentRent"
        echo={rent > 0 ? `${exact(rent)} a week, ${exact(rent * weeksPerYear)} a year` : ""}
      />
      <AnswerField
        name="invoiceAmount"
        hint={quoted > 0 ? `Your highest quote is ${exact(quoted)}.` : "Enter 0 if there's nothing to pay."}
        echo={costs >= longAmount && costs !== quoted && exact(costs)}
      />
      {isAskedFor("approval", source) && (
        <AnswerField
          name="approval"
          required={false}
          hint="If you were given one, enter it here. If not, leave this empty."
          autoCapitalize="characters"
        />
      )}
      <LoanChoices />
      <div className="grid gap-2">
        <AnswerField
          name="loanAmount"
          hint={`You can change this to any amount up to ${whole(maximumAdvance)}.`}
          max={maximumAdvance}
          maxReason={`We've changed it to ${whole(maximumAdvance)}, the most we can advance.`}
        />
        <p className="text-ink-soft text-sm">{costNote}</p>
      </div>
      <section className="rounded-lg border border-transparent bg-accent-soft p-4 sm:p-5">
        <h2 className="font-semibold text-lg">Great News! Extra funds could be available to you</h2>
        <p className="mt-1 mb-4">
          You can ask for up to {whole(maximumAdvance)} of extra funds on top of the invoice, as long as the total is no
          more than {whole(maximumAdvance)}.
        </p>
        <ExtraFundsField />
      </section>
      <AdvanceTable values={values} />
    </>
  );
}

/** Shows the loan amount without the invoice; editing it changes the loan amount (docs/decisions/one-amount.md). */
function ExtraFundsField() {
  const { values, change, leave } = useStepValues<StepAnswers[3]>();
  const { loanAmount, invoiceAmount } = values;
  const { symbol, exact } = useMoney();
  const brand = useBrand();
  const [isExtraUnreadable, setIsExtraUnreadable] = useState(false);
  // Once another field or choice has set the loan amount, the extra funds follow from it.
  if (isExtraUnreadable && loanAmount !== "") setIsExtraUnreadable(false);
  const { extra } = partsOf(values);
  const max = maxExtraFunds(invoiceAmount);
  const limit = exact(maximumAdvance);
  const withInvoice = max < maximumAdvance ? `. With your invoice, that's ${limit}` : "";

  function changeExtra(typed: string): void {
    const unreadable = isUnreadable(typed);
    setIsExtraUnreadable(unreadable);
    // A loan amount below the invoice stays as it is while the extra funds are 0.
    if (!unreadable && loanAmount !== "" && centsOf(tidyAmount(typed)) === extra) return;
    change(({ invoiceAmount }) => ({
      loanAmount: unreadable ? "" : loanAmountWithExtra(tidyAmount(typed), invoiceAmount),
    }));
  }

  return (
    <MoneyField
      id="extraFunds"
      label="Extra funds"
      hint={
        max > 0
          ? `Up to ${exact(max)} more. Extra funds are part of the loan amount.`
          : `Your invoice already reaches the ${limit} limit.`
      }
      symbol={symbol}
      enterKeyHint="go"
      readOnly={max === 0}
      max={max}
      maxReason={`We've changed it to ${exact(max)}${withInvoice}, the most we can advance.`}
      value={loanAmount === "" ? "" : writeCents(extra)}
      error={isExtraUnreadable ? amountMessage("Extra funds", brand) : undefined}
      echo={extra >= longAmount && exact(extra)}
      onChange={changeExtra}
      onUnreadable={changeExtra}
      onBlur={() => leave("loanAmount")}
    />
  );
}
