import { useRef, useState } from "react";
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
import { labelOf, type StepAnswers } from "@/lib/domain/application";
import { centsOf, isSameAmount, writeCents } from "@/lib/domain/money";

type LeaseAnswers = StepAnswers[3];

type AmountChoice = "invoice" | "maximum" | "another";

const invoiceOnlyOf = ({ invoiceAmount }: LeaseAnswers) => writeCents(clampAdvance(centsOf(invoiceAmount)));

const isInvoiceCovered = ({ invoiceAmount }: LeaseAnswers) => centsOf(invoiceAmount) <= maximumAdvance;

/** A choice that the amount does not show: another amount before it is typed, or the maximum before there is a rent. */
interface Picked {
  selected: AmountChoice;
  valuesWhenPicked: LeaseAnswers;
}

function isPicked({ selected, valuesWhenPicked }: Picked, values: LeaseAnswers): boolean {
  const isSumSame = sumAnswers.every((name) => valuesWhenPicked[name] === values[name]);
  return isSumSame && (selected === "another" || values.loanAmount === loanAmountFor(values));
}

/** The choice that was picked, or else the one that matches the loan amount. Undefined while the loan amount is empty. */
function selectedChoice(values: LeaseAnswers, pick?: Picked): AmountChoice | undefined {
  const { loanAmount, currentRent } = values;
  if (pick && isPicked(pick, values)) return pick.selected;
  if (loanAmount === "") return undefined;
  const isMaximum = isSameAmount(loanAmount, loanAmountFor(values));
  if (isMaximum && (centsOf(currentRent) > 0 || !isInvoiceCovered(values))) return "maximum";
  return isSameAmount(loanAmount, invoiceOnlyOf(values)) ? "invoice" : "another";
}

/** The applicant's own amount. A change of rent or invoice replaces it with the calculated amount. */
interface OwnAmount {
  isInvoiceOnly: boolean;
  /** Empty if another amount was chosen and not typed yet, or 0 was typed, which is refused. */
  loanAmount: string;
}

function ownAmountOf({ loanAmount }: LeaseAnswers, selected: AmountChoice | undefined): OwnAmount | undefined {
  if (!selected || selected === "maximum") return undefined;
  return { isInvoiceOnly: selected === "invoice", loanAmount: centsOf(loanAmount) > 0 ? loanAmount : "" };
}

function changeBetween(before: SumAnswers, now: SumAnswers): keyof SumAnswers | undefined {
  return sumAnswers.find((name) => before[name] !== now[name]);
}

/** Returns the applicant's own amount if a change of rent or invoice has replaced it, and which of the two changed. */
function useReplaced(values: LeaseAnswers, selected: AmountChoice | undefined) {
  const [before, setBefore] = useState({ values, selected });
  const { saved, source, draftOver } = useForm();
  // After a reload or Back, the draft has the change already. It also has the amounts from before.
  const [earlier] = useState(() => ({ ...saved, ...draftOver(saved).replaced }));
  const [changedAnswer, setChangedAnswer] = useState(() => changeBetween(earlier, values));
  const [own, setOwn] = useState(() => {
    const isReplaced = changedAnswer && values.loanAmount === loanAmountFor(values);
    return isReplaced ? ownAmountOf(earlier, selectedChoice(earlier)) : ownAmountOf(values, selected);
  });
  if (before.values !== values || before.selected !== selected) {
    setBefore({ values, selected });
    const changed = changeBetween(before.values, values);
    // Further keystrokes of the same correction keep the note. The applicant's next own amount or choice removes it.
    if (changed) setChangedAnswer(changed);
    else if (before.values.loanAmount !== values.loanAmount || before.selected !== selected) {
      setOwn(ownAmountOf(values, selected));
      setChangedAnswer(undefined);
    }
  }
  if (!own || !changedAnswer || values.loanAmount === "") return undefined;
  const { isInvoiceOnly } = own;
  // An applicant who wanted only the invoice gets back the invoice as it is now, or types an amount if there is none.
  const invoice = centsOf(values.invoiceAmount) > 0 ? invoiceOnlyOf(values) : "";
  const loanAmount = isInvoiceOnly ? invoice : own.loanAmount;
  if (isSameAmount(loanAmount, values.loanAmount)) return undefined;
  const changed = changedAnswer === "currentRent" ? "rent" : labelOf(changedAnswer, source).toLowerCase();
  return { changed, isInvoiceOnly, loanAmount };
}

/** Offers the usual amounts above the amount fields, so that a repair of $2,450 need not become a loan of $33,650. */
export function LoanChoices() {
  const { values, change } = useStepValues<LeaseAnswers>();
  const { exact, whole } = useMoney();
  const [pick, setPick] = useState<Picked>();
  /** The amount that was typed before another choice replaced it. */
  const [typed, setTyped] = useState("");
  const selected = selectedChoice(values, pick);
  const replaced = useReplaced(values, selected);
  const group = useRef<HTMLFieldSetElement>(null);

  const calculated = loanAmountFor(values);
  const invoiceOnly = invoiceOnlyOf(values);
  const isRentKnown = centsOf(values.currentRent) > 0;
  const hasInvoiceOnly =
    centsOf(invoiceOnly) > 0 && isInvoiceCovered(values) && !(isRentKnown && isSameAmount(invoiceOnly, calculated));

  function choose(loanAmount: string, picked?: AmountChoice): void {
    setPick(picked && { selected: picked, valuesWhenPicked: values });
    if (selected === "another") setTyped(values.loanAmount);
    change(() => ({ loanAmount }));
  }

  /** The button disappears with its note, so the focus moves to the choice that it made, once React has rendered it. */
  function goBack(loanAmount: string): void {
    choose(loanAmount, loanAmount === "" ? "another" : undefined);
    queueMicrotask(() => group.current?.querySelector<HTMLInputElement>("input:checked")?.focus());
  }

  return (
    <fieldset ref={group} className="min-w-0">
      <legend className="mb-2 font-semibold text-lg">How much would you like?</legend>
      <div className="grid gap-2">
        {hasInvoiceOnly && (
          <Choice group="howMuch" chosen={selected === "invoice"} onChoose={() => choose(invoiceOnly)}>
            {`Only the invoice: ${exact(centsOf(invoiceOnly))}`}
          </Choice>
        )}
        <Choice
          group="howMuch"
          chosen={selected === "maximum"}
          onChoose={() => choose(calculated, "maximum")}
          hint={`${weeksOfRent} weeks of rent plus the invoice, up to ${whole(maximumAdvance)}.`}
        >
          {isRentKnown ? `The maximum: ${exact(centsOf(calculated))}` : "The maximum"}
        </Choice>
        <Choice
          group="howMuch"
          chosen={selected === "another"}
          // Without a typed amount, it is emptied, so that the Next button never saves the one that was just turned down.
          onChoose={() => choose(typed, "another")}
          hint="Enter it in the Loan amount field."
        >
          Another amount
        </Choice>
      </div>
      <div role="status">
        {replaced && (
          <div className="mt-2 rounded-md border border-accent border-l-4 bg-accent-soft p-3">
            <p>
              {`Because your ${replaced.changed} changed, we've recalculated the amount: ${exact(centsOf(calculated))}.`}
            </p>
            <button
              type="button"
              className={buttonStyle("secondary", "mt-2")}
              onClick={() => goBack(replaced.loanAmount)}
            >
              {replaced.loanAmount === ""
                ? "Another amount"
                : `${replaced.isInvoiceOnly ? "Only the invoice:" : "Go back to"} ${exact(centsOf(replaced.loanAmount))}`}
            </button>
          </div>
        )}
      </div>
    </fieldset>
  );
}
