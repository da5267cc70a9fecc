import { useState } from "react";
import { useStepValues } from "@/components/application/fields/answer-field";
import { useForm } from "@/components/application/saving/use-form";
import { useBrand } from "@/components/site/brand-context";
import { useMoney } from "@/components/site/use-money";
import { MoneyField } from "@/components/ui/money-field";
import { loanAmountWithExtra, maxExtraFunds, maximumAdvance, partsOf } from "@/lib/domain/advance";
import type { StepAnswers } from "@/lib/domain/application";
import { centsOf, isUnreadable, tidyAmount, writeCents } from "@/lib/domain/money";
import { costNoun } from "@/lib/domain/source";
import { amountMessage } from "@/lib/schemas/kinds";

/** The banner that offers extra funds, and their field. */
export function ExtraFunds() {
  const { source } = useForm();
  const { values } = useStepValues<StepAnswers[3]>();
  const { whole } = useMoney();
  const limit = whole(maximumAdvance);
  const noun = costNoun(source);
  const hasRoom = maxExtraFunds(values.invoiceAmount) > 0;
  return (
    <section className="rounded-lg border border-transparent bg-accent-soft p-4 sm:p-5">
      <h2 className="font-semibold text-lg">Great News! Extra funds could be available to you</h2>
      <p className="mt-1 mb-3">
        {hasRoom
          ? `You can ask for up to ${limit} of extra funds on top of the ${noun}. The total can't be more than ${limit}.`
          : `Your ${noun} already reaches the ${limit} limit, so there's no room for extra funds.`}
      </p>
      <ExtraFundsField noun={noun} />
    </section>
  );
}

/** Shows the loan amount without the costs; editing it changes the loan amount (docs/decisions/one-amount.md). */
function ExtraFundsField({ noun }: { noun: string }) {
  const { values, change, leave } = useStepValues<StepAnswers[3]>();
  const { loanAmount, invoiceAmount } = values;
  const { symbol, exact } = useMoney();
  const brand = useBrand();
  const [unreadable, setUnreadable] = useState<"typed" | "shown">();
  // Once another field or a button has set the loan amount, the extra funds follow from it.
  if (unreadable && loanAmount !== "") setUnreadable(undefined);
  const { loan, invoice, extra, uncovered } = partsOf(values);
  const max = maxExtraFunds(invoiceAmount);
  const reason =
    max < maximumAdvance
      ? `because the ${noun} and the extra funds together can't exceed ${exact(maximumAdvance)}`
      : "the most we can advance";

  /** The error of typed text waits until the field is left, as in every other amount. */
  function changeExtra(entered: string, shown = unreadable ?? "typed"): void {
    const isAmount = !isUnreadable(entered);
    setUnreadable(isAmount ? undefined : shown);
    // A loan amount below the costs stays as it is while the extra funds are 0.
    if (isAmount && loanAmount !== "" && centsOf(tidyAmount(entered)) === extra) return;
    change(({ invoiceAmount }) => ({
      loanAmount: isAmount ? loanAmountWithExtra(tidyAmount(entered), invoiceAmount) : "",
    }));
  }

  function leaveExtra(): void {
    if (unreadable) setUnreadable("shown");
    leave("loanAmount");
  }

  function meaning(): string {
    if (loan === 0) return "";
    if (extra === 0) return `${uncovered > 0 ? "Part of the" : "The"} ${noun}, without extra funds`;
    return `${invoice > 0 ? `The ${noun} plus ` : ""}${exact(extra)} of extra funds`;
  }

  return (
    <MoneyField
      id="extraFunds"
      label="Extra funds"
      symbol={symbol}
      enterKeyHint="go"
      readOnly={max === 0}
      max={max}
      maxReason={`We've reduced this to ${exact(max)}, ${reason}.`}
      value={loanAmount === "" ? "" : writeCents(extra)}
      error={unreadable === "shown" ? amountMessage("Extra funds", brand) : undefined}
      echo={max > 0 && meaning()}
      onChange={(amount) => changeExtra(amount)}
      onUnreadable={(text) => changeExtra(text, "shown")}
      onBlur={leaveExtra}
    />
  );
}
