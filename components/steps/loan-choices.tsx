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

/** A choice that the amount does not show: another amount that is still to be typed, or the maximum before there is a rent. */
interface Picked {
  wanted: Wanted;
  /** The answers when it was picked. */
  than: ApplicationAnswers;
}

function isPicked({ wanted, than }: Picked, values: ApplicationAnswers): boolean {
  const isSumSame = sumAnswers.every((name) => than[name] === values[name]);
  return isSumSame && (wanted === "another" || values.loanAmount === loanAmountFor(values));
}

/** Which choice was picked, or is the loan amount's; undefined while it is empty. */
function wantedOf(values: ApplicationAnswers, pick: Picked | undefined): Wanted | undefined {
  const { loanAmount, currentRent } = values;
  if (pick && isPicked(pick, values)) return pick.wanted;
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

function ownOf({ loanAmount }: ApplicationAnswers, wanted: Wanted | undefined): Own | undefined {
  if (loanAmount === "" || wanted === "maximum") return undefined;
  return { isInvoiceOnly: wanted === "invoice", loanAmount };
}

/** The person's own amount where a change of rent or invoice has replaced it, and which of the two has changed. */
function useReplaced(values: ApplicationAnswers, wanted: Wanted | undefined) {
  const [before, setBefore] = useState({ values, wanted });
  const [own, setOwn] = useState(() => ownOf(values, wanted));
  const [because, setBecause] = useState<keyof SumAnswers>();
  if (before.values !== values || before.wanted !== wanted) {
    setBefore({ values, wanted });
    const changed = sumAnswers.find((name) => before.values[name] !== values[name]);
    // Further keys of the same correction leave the note; the person's own next amount or choice removes it.
    if (changed) setBecause(changed);
    else if (before.values.loanAmount !== values.loanAmount || before.wanted !== wanted) {
      setOwn(ownOf(values, wanted));
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
  const [pick, setPick] = useState<Picked>();
  const wanted = wantedOf(values, pick);
  const replaced = useReplaced(values, wanted);

  const calculated = loanAmountFor(values);
  const invoiceOnly = invoiceOnlyOf(values);
  const isRentKnown = centsOf(values.currentRent) > 0;
  const hasInvoiceOnly = centsOf(invoiceOnly) > 0 && !(isRentKnown && isSame(invoiceOnly, calculated));

  function choose(loanAmount: string, picked?: Wanted): void {
    setPick(picked && { wanted: picked, than: values });
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
          onChoose={() => choose(calculated, "maximum")}
          hint={`${weeksOfRent} weeks of rent plus the invoice, up to ${whole(maximumAdvance)}.`}
        >
          The maximum{isRentKnown && `: ${exact(centsOf(calculated))}`}
        </Choice>
        <Choice
          group="howMuch"
          chosen={wanted === "another"}
          onChoose={() => setPick({ wanted: "another", than: values })}
        >
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
        {isInvoiceOnly ? "Only the invoice:" : "Go back to"} {exact(centsOf(loanAmount))}
      </button>
    </div>
  );
}
