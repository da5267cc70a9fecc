import { useState } from "react";
import { useForm } from "@/components/application/saving/use-form";
import { loanAmountFor, type SumAnswers, sumAnswers, usualAmounts } from "@/lib/domain/advance";
import type { StepAnswers } from "@/lib/domain/application";
import { centsOf, isSameAmount } from "@/lib/domain/money";

type LeaseAnswers = StepAnswers[3];

/** The amount that the applicant has chosen. A change of rent or costs replaces it with the calculated amount. */
interface OwnAmount {
  loanAmount: string;
  isCostsOnly: boolean;
}

/** Undefined if the loan amount is the calculated one. Without a rent, that is the costs alone, which may have been chosen. */
function ownAmountOf(values: LeaseAnswers): OwnAmount | undefined {
  const { loanAmount, currentRent } = values;
  if (centsOf(loanAmount) === 0) return undefined;
  const isCostsOnly = isSameAmount(loanAmount, usualAmounts(values).costsOnly ?? "");
  const isCalculated = isSameAmount(loanAmount, loanAmountFor(values));
  const isChosen = !isCalculated || (isCostsOnly && centsOf(currentRent) === 0);
  return isChosen ? { loanAmount, isCostsOnly } : undefined;
}

function changeBetween(before: SumAnswers, now: SumAnswers): keyof SumAnswers | undefined {
  return sumAnswers.find((name) => before[name] !== now[name]);
}

/**
 * Returns the applicant's own amount if a change of rent or costs has replaced it, and which of the two changed. An applicant who
 * wanted only the costs covered gets them as they are now.
 */
export function useReplaced(values: LeaseAnswers) {
  const [before, setBefore] = useState(values);
  const { saved, draftOver } = useForm();
  // After a reload or Back, the draft has the change already. It also has the amounts from before.
  const [earlier] = useState(() => ({ ...saved, ...draftOver(saved).replaced }));
  const [changed, setChanged] = useState(() => changeBetween(earlier, values));
  const [own, setOwn] = useState(() => {
    const isReplaced = changed && values.loanAmount === loanAmountFor(values);
    return ownAmountOf(isReplaced ? earlier : values);
  });
  if (before !== values) {
    setBefore(values);
    const changedNow = changeBetween(before, values);
    // Further keystrokes of the same correction keep the note. The applicant's next own amount removes it.
    if (changedNow) setChanged(changedNow);
    else if (before.loanAmount !== values.loanAmount) {
      setOwn(ownAmountOf(values));
      setChanged(undefined);
    }
  }
  if (!own || !changed || values.loanAmount === "") return undefined;
  const costsOnly = own.isCostsOnly ? usualAmounts(values).costsOnly : undefined;
  const loanAmount = costsOnly ?? own.loanAmount;
  if (isSameAmount(loanAmount, values.loanAmount)) return undefined;
  return { changed, loanAmount, isCostsOnly: costsOnly !== undefined };
}
