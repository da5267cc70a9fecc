import { useState } from "react";
import { useStepValues } from "@/components/form/answer-field";
import { useForm } from "@/components/form/use-form";
import { useMoney } from "@/components/site/use-money";
import { buttonStyle } from "@/components/ui/button";
import { Choice } from "@/components/ui/choice";
import {
  clampAdvance,
  loanAmountFor,
  maximumAdvance,
  type SumAnswers,
  sumAnswers,
  weeksOfRent,
} from "@/lib/domain/advance";
import { type ApplicationAnswers, labelOf } from "@/lib/domain/application";
import { centsOf, writeCents } from "@/lib/domain/money";

type Wanted = "invoice" | "maximum" | "another";

const invoiceOnlyOf = ({ invoiceAmount }: ApplicationAnswers) => writeCents(clampAdvance(centsOf(invoiceAmount)));

const isSame = (one: string, other: string) => one !== "" && centsOf(one) === centsOf(other);

/** Which choice the loan amount is; undefined while it is empty. */
function wantedOf(values: ApplicationAnswers): Wanted | undefined {
  const { loanAmount, currentRent } = values;
  if (loanAmount === "") return undefined;
  const isMaximum = isSame(loanAmount, loanAmountFor(values));
  if (isMaximum && centsOf(currentRent) > 0) return "maximum";
  return isSame(loanAmount, invoiceOnlyOf(values)) ? "invoice" : "another";
}

/** The person's own amount, which a change of rent or invoice replaces by the formula's. */
interface Own {
  isInvoiceOnly: boolean;
  loanAmount: string;
}

function ownOf(values: ApplicationAnswers): Own | undefined {
  const wanted = wantedOf(values);
  if (wanted === undefined || wanted === "maximum") return undefined;
  return { isInvoiceOnly: wanted === "invoice", loanAmount: values.loanAmount };
}

/** The person's own amount where a change of rent or invoice has replaced it, and which of the two has changed. */
function useReplaced(values: ApplicationAnswers) {
  const [before, setBefore] = useState(values);
  const [own, setOwn] = useState(() => ownOf(values));
  const [because, setBecause] = useState<keyof SumAnswers>();
  if (before !== values) {
    setBefore(values);
    const changed = sumAnswers.find((name) => before[name] !== values[name]);
    // Further keys of the same correction leave the note; the person's own next amount removes it.
    if (changed) setBecause(changed);
    else if (before.loanAmount !== values.loanAmount) {
      setOwn(ownOf(values));
      setBecause(undefined);
    }
  }
  if (!own || !because || values.loanAmount === "") return undefined;
  // The invoice as it is now, where that was asked for.
  const isInvoiceOnly = own.isInvoiceOnly && centsOf(values.invoiceAmount) > 0;
  const loanAmount = isInvoiceOnly ? invoiceOnlyOf(values) : own.loanAmount;
  return isSame(loanAmount, values.loanAmount) ? undefined : { because, isInvoiceOnly, loanAmount };
}

/** The amounts that people mean, above the fields of the amount: a repair of $2,450 need not become a loan of $33,650. */
export function LoanChoices() {
  const { source } = useForm();
  const { values, change } = useStepValues();
  const { exact, whole } = useMoney();
  const replaced = useReplaced(values);
  /** 'Another amount' was picked, and the amount is still that of another choice. */
  const [anotherThan, setAnotherThan] = useState<ApplicationAnswers>();
  const isSumSame = anotherThan && sumAnswers.every((name) => anotherThan[name] === values[name]);

  const calculated = loanAmountFor(values);
  const invoiceOnly = invoiceOnlyOf(values);
  const isRentKnown = centsOf(values.currentRent) > 0;
  const hasInvoiceOnly = centsOf(invoiceOnly) > 0 && !(isRentKnown && isSame(invoiceOnly, calculated));
  const wanted = isSumSame ? "another" : wantedOf(values);

  function choose(loanAmount: string): void {
    setAnotherThan(undefined);
    change(() => ({ loanAmount }));
  }

  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 font-semibold text-lg">How much would you like?</legend>
      <div className="grid gap-2">
        {hasInvoiceOnly && (
          <Choice group="howMuch" chosen={wanted === "invoice"} onChoose={() => choose(invoiceOnly)}>
            Only the invoice: {exact(centsOf(invoiceOnly))}
          </Choice>
        )}
        <Choice
          group="howMuch"
          chosen={wanted === "maximum"}
          onChoose={() => choose(calculated)}
          hint={`${weeksOfRent} weeks of rent plus the invoice, up to ${whole(maximumAdvance)}.`}
        >
          The maximum{isRentKnown && `: ${exact(centsOf(calculated))}`}
        </Choice>
        <Choice group="howMuch" chosen={wanted === "another"} onChoose={() => setAnotherThan(values)}>
          Another amount
        </Choice>
      </div>
      {/* In the page from the start: a live region that arrives together with its words is not read out. */}
      <div role="status">
        {replaced && <Recalculated {...replaced} calculated={calculated} source={source} onChoose={choose} />}
      </div>
    </fieldset>
  );
}

interface RecalculatedProps {
  because: keyof SumAnswers;
  calculated: string;
  source: string;
  /** What was asked for before, to go back to in one tap. */
  loanAmount: string;
  isInvoiceOnly: boolean;
  onChoose: (loanAmount: string) => void;
}

function Recalculated({ because, calculated, source, loanAmount, isInvoiceOnly, onChoose }: RecalculatedProps) {
  const { exact } = useMoney();
  const changed = because === "currentRent" ? "rent" : labelOf(because, source).toLowerCase();
  return (
    <div className="mt-2 rounded-md border border-accent border-l-4 bg-accent-soft p-3">
      <p>
        Because your {changed} changed, we've recalculated the amount: {exact(centsOf(calculated))}.
      </p>
      <button type="button" className={buttonStyle("secondary", "mt-2")} onClick={() => onChoose(loanAmount)}>
        {isInvoiceOnly ? "Only the invoice" : "Go back"}: {exact(centsOf(loanAmount))}
      </button>
    </div>
  );
}
