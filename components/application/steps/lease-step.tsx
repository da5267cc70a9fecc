import { AnswerField, useStepValues } from "@/components/application/fields/answer-field";
import { useForm } from "@/components/application/saving/use-form";
import { useMoney } from "@/components/site/use-money";
import { isAskedFor, type StepAnswers } from "@/lib/domain/application";
import { centsOf } from "@/lib/domain/money";
import { costNoun } from "@/lib/domain/source";
import { ExtraFunds } from "./extra-funds";
import { LoanAmount } from "./loan-amount";

const weeksPerYear = 52;
/** From this many cents, an amount is repeated below the field with thousands separators. */
const longAmount = 1_000_00;

export function LeaseStep() {
  const { source, application } = useForm();
  const { values } = useStepValues<StepAnswers[3]>();
  const { exact } = useMoney();
  const rent = centsOf(values.currentRent);
  const quoted = centsOf(application.invited.invoiceAmount);
  const costs = centsOf(values.invoiceAmount);
  const prefilled = costNoun(source) === "invoice" ? "The invoice is" : "The repair costs are";
  return (
    <>
      <p className="text-ink-soft">
        {`This lets us assess your eligibility and decide how much funding we can provide.${quoted > 0 ? ` ${prefilled} pre-filled with your highest quote.` : ""}`}
      </p>
      {/* Side by side where each has room for its date in words, so not on a narrow phone or in large text. */}
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,9rem),1fr))] gap-x-4 gap-y-6 sm:gap-x-6">
        <AnswerField name="leaseStartDate" />
        <AnswerField
          name="leaseEndDate"
          past="That date has passed. If there's a newer lease, enter its dates. If it's now month to month, keep this date."
        />
      </div>
      <div className="grid gap-6 sm:grid-cols-2">
        <AnswerField
          name="currentRent"
          echo={rent > 0 ? `${exact(rent)} a week, ${exact(rent * weeksPerYear)} a year` : ""}
        />
        <AnswerField
          name="invoiceAmount"
          hint={quoted > 0 ? undefined : "Enter 0 if there's nothing to pay."}
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
      </div>
      <LoanAmount />
      <ExtraFunds />
    </>
  );
}
