import { MoneyAnswerField } from "@/components/form/answer-fields";
import { useAnswers, useShown } from "@/components/form/answers-context";
import { AdvanceSum } from "@/components/review/advance-sum";
import { useBrand } from "@/components/site/brand-context";
import { useMoney } from "@/components/site/use-money";
import { Choice } from "@/components/ui/choice";
import { MoneyField } from "@/components/ui/money-field";
import {
  clampAdvance,
  extraFunds,
  loanAmountFor,
  loanAmountWithExtra,
  maximumAdvance,
  sumAnswers,
} from "@/lib/domain/advance";
import { centsOf, writeCents } from "@/lib/domain/money";

const weeksOfYear = 52;
/** From this many cents on, the amount is repeated below the field with thousands separators. */
const long = 1_000_00;

export function WeeklyRentField() {
  const { currentRent } = useShown("currentRent");
  const { exact } = useMoney();
  const rent = centsOf(currentRent);
  return (
    <MoneyAnswerField
      name="currentRent"
      echo={rent > 0 ? `${exact(rent)} a week, ${exact(rent * weeksOfYear)} a year` : ""}
    />
  );
}

export function RepairCostsField() {
  const { invited } = useAnswers();
  const { invoiceAmount } = useShown("invoiceAmount");
  const { exact } = useMoney();
  const quoted = centsOf(invited.invoiceAmount);
  const costs = centsOf(invoiceAmount);
  return (
    <MoneyAnswerField
      name="invoiceAmount"
      hint={quoted > 0 ? `Your highest quote is ${exact(quoted)}.` : "Enter 0 if nothing needs paying."}
      // A change of this field also changes the loan amount, so it gets the most visible mark.
      highlight="animated"
      echo={costs >= long && costs !== quoted && exact(costs)}
    />
  );
}

const useSum = () => useShown(...sumAnswers, "loanAmount");

export function LoanAmountField() {
  const { whole } = useMoney();
  const { costNote } = useBrand();
  return (
    <div className="grid gap-3">
      <MoneyAnswerField
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
  return <AdvanceSum values={useSum()} />;
}

/** The two amounts that people mean, side by side: a repair of $2,450 need not become a loan of $33,650. */
function LoanChoices() {
  const { answer } = useAnswers();
  const values = useSum();
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
          onChoose={() => answer({ loanAmount: amount })}
        >
          {name}: {exact(centsOf(amount))}
        </Choice>
      ))}
    </div>
  );
}

/** Another view of the loan amount, without the invoice (docs/decisions/one-amount.md). */
export function ExtraFundsField() {
  const { answer, leave } = useAnswers();
  const { loanAmount, invoiceAmount } = useShown("loanAmount", "invoiceAmount");
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
      onType={(typed) => answer({ loanAmount: loanAmountWithExtra(typed, invoiceAmount) })}
      onBlur={() => leave("loanAmount")}
    />
  );
}
