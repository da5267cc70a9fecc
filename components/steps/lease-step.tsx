import { AnswerField } from "@/components/form/answer-field";
import { useForm } from "@/components/form/use-form";
import { useMoney } from "@/components/site/use-money";
import { maximumAdvance } from "@/lib/domain/advance";
import { isAsked } from "@/lib/domain/application";
import { ExtraFundsField, LoanAmountField, RepairCostsField, Sum, WeeklyRentField } from "./lease-money";
import { LoanChoices } from "./loan-choices";

export function LeaseStep() {
  const { source } = useForm();
  const { whole } = useMoney();
  return (
    <>
      <div className="grid gap-6 sm:grid-cols-2">
        <AnswerField name="leaseStartDate" />
        <AnswerField name="leaseEndDate" past="That date has passed. If there's a newer lease, enter its dates." />
      </div>
      <p className="text-ink-soft">
        This lets us assess your eligibility and decide how much funding we can provide. If we have quotes, the repairs
        cost is pre-filled with the highest quote.
      </p>
      <WeeklyRentField />
      <RepairCostsField />
      {isAsked("approval", source) && (
        <AnswerField
          name="approval"
          required={false}
          hint="If you were given one. You can leave this empty."
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
        />
      )}
      <LoanChoices />
      <LoanAmountField />
      <section className="rounded-lg bg-accent-soft p-4 sm:p-5">
        <h2 className="font-semibold text-lg">Great News! Extra funds could be available to you</h2>
        <p className="mt-1 mb-4">
          You can ask for up to {whole(maximumAdvance)} of extra funds on top of the invoice, as long as the total is no
          more than {whole(maximumAdvance)}.
        </p>
        <ExtraFundsField />
      </section>
      <Sum />
    </>
  );
}
