import { AnswerField, useStepValues } from "@/components/form/answer-field";
import { useForm } from "@/components/form/use-form";
import { AdvanceSum } from "@/components/review/calculation-summary";
import { useBrand } from "@/components/site/brand-context";
import { useMoney } from "@/components/site/use-money";
import { Choice } from "@/components/ui/choice";
import { MoneyField } from "@/components/ui/money-field";
import { clampAdvance, extraFunds, loanAmountFor, loanAmountWithExtra, maximumAdvance } from "@/lib/domain/advance";
import { centsOf, writeCents } from "@/lib/domain/money";

const weeksOfYear = 52;
/** From this many cents on, the amount is repeated below the field with thousands separators. */
const long = 1_000_00;

export function WeeklyRentField() {
  const { currentRent } = useStepValues().values;
  const { exact } = useMoney();
  const rent = centsOf(currentRent);
  return (
    <AnswerField
      name="currentRent"
      echo={rent > 0 ? `${exact(rent)} a week, ${exact(rent * weeksOfYear)} a year` : ""}
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
      hint={quoted > 0 ? `Your highest quote is ${exact(quoted)}.` : "Enter 0 if nothing needs paying."}
      // A change of this field also changes the loan amount, so it gets the most visible mark.
      highlight="animated"
      echo={costs >= long && costs !== quoted && exact(costs)}
    />
  );
}

export function LoanAmountField() {
  const { whole } = useMoney();
  const { costNote } = useBrand();
  return (
    <div className="grid gap-3">
      <AnswerField
        name="loanAmount"
        hint={`Worked out from your rent and invoice. You can change it, up to ${whole(maximumAdvance)}.`}
        most={maximumAdvance}
        echo={<LoanSum />}
      />
      <LoanChoices />
      <p className="text-ink-soft text-sm">{costNote}</p>
    </div>
  );
}

function LoanSum() {
  return <AdvanceSum values={useStepValues().values} />;
}

/** The two amounts that people mean, side by side: a repair of $2,450 need not become a loan of $33,650. */
function LoanChoices() {
  const { values, change } = useStepValues();
  const { exact } = useMoney();
  const calculated = loanAmountFor(values);
  const invoiceOnly = writeCents(clampAdvance(centsOf(values.invoiceAmount)));
  if (centsOf(invoiceOnly) === 0 || invoiceOnly === calculated) return null;
  const choices = { "Only the invoice": invoiceOnly, "As calculated": calculated };
  return (
    <div className="flex flex-wrap gap-2">
      {Object.entries(choices).map(([name, amount]) => (
        <Choice
          key={name}
          chosen={centsOf(values.loanAmount) === centsOf(amount)}
          onChoose={() => change(() => ({ loanAmount: amount }))}
        >
          {name}: {exact(centsOf(amount))}
        </Choice>
      ))}
    </div>
  );
}

/** Another view of the loan amount, without the invoice (docs/decisions/one-amount.md). */
export function ExtraFundsField() {
  const { values, change, leave } = useStepValues();
  const { loanAmount, invoiceAmount } = values;
  const { symbol, exact } = useMoney();
  const extra = extraFunds(loanAmount, invoiceAmount);
  return (
    <MoneyField
      id="extraFunds"
      label="Extra funds"
      hint="Included in the loan amount above."
      symbol={symbol}
      most={Math.max(0, maximumAdvance - centsOf(invoiceAmount))}
      value={loanAmount === "" ? "" : writeCents(extra)}
      echo={extra >= long && exact(extra)}
      onType={(typed) => change((values) => ({ loanAmount: loanAmountWithExtra(typed, values.invoiceAmount) }))}
      onBlur={() => leave("loanAmount")}
    />
  );
}
