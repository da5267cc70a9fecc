import type { ApplicationAnswers } from "./application";
import { centsOf, writeCents } from "./money";

/**
 * The rental advance (specification, sections 4 and 9; docs/decisions/one-amount.md).
 * Numbers here are cents; strings are amounts as people type them.
 */
export const maximumAdvance = 50_000_00;
/** Two years of weekly rent. */
export const weeksOfRent = 104;

/** The answers from which the advance is calculated. */
export const sumAnswers = ["currentRent", "invoiceAmount"] as const;
export type SumAnswers = Pick<ApplicationAnswers, (typeof sumAnswers)[number]>;

/** The advance before the cap. */
function sumOf({ currentRent, invoiceAmount }: SumAnswers): number {
  return centsOf(currentRent) * weeksOfRent + centsOf(invoiceAmount);
}

export function clampAdvance(cents: number): number {
  return Math.min(maximumAdvance, Math.max(0, cents));
}

/** The loan amount after a change of the rent or invoice. It is empty if the sum is 0 or less. */
export function loanAmountFor(values: SumAnswers): string {
  const total = sumOf(values);
  return total <= 0 ? "" : writeCents(clampAdvance(total));
}

/**
 * The loan amounts that step 3 fills in with one press: the costs alone, and two years of rent with them. Neither is 0. If
 * they are equal, there is only the first.
 */
export function usualAmounts(values: SumAnswers): { costsOnly?: string; twoYears?: string } {
  const costs = centsOf(values.invoiceAmount);
  const costsOnly = costs > 0 && costs <= maximumAdvance ? writeCents(costs) : undefined;
  const twoYears = centsOf(values.currentRent) > 0 ? loanAmountFor(values) : undefined;
  return { costsOnly, twoYears: twoYears === costsOnly ? undefined : twoYears };
}

export type AdvanceAnswers = SumAnswers & Pick<ApplicationAnswers, "loanAmount">;

/**
 * The amounts from before the applicant's changes of rent or invoice have recalculated the loan amount. They are those before
 * the first such change (`earlier`), until the applicant changes the loan amount.
 */
export function amountsBefore(changes: Partial<ApplicationAnswers>, before: AdvanceAnswers, earlier?: AdvanceAnswers) {
  if (changes.loanAmount === undefined) return earlier;
  if (!sumAnswers.some((name) => name in changes)) return undefined;
  const { currentRent, invoiceAmount, loanAmount } = before;
  return earlier && loanAmount === loanAmountFor(before) ? earlier : { currentRent, invoiceAmount, loanAmount };
}

/** Whether the cap has reduced the sum to the current loan amount. */
export function isAtLimit(values: AdvanceAnswers): boolean {
  return sumOf(values) > maximumAdvance && centsOf(values.loanAmount) === maximumAdvance;
}

/** The highest possible extra funds on top of the invoice, in cents. */
export function maxExtraFunds(invoiceAmount: string): number {
  return clampAdvance(maximumAdvance - centsOf(invoiceAmount));
}

type Amounts = Pick<ApplicationAnswers, "loanAmount" | "invoiceAmount">;

/**
 * Splits the advance into the paid part of the invoice and the extra funds, with the uncovered rest of the invoice. Extra funds
 * are derived, never stored: the advance minus the invoice, within 0…50,000. Rounding comes first, so that the parts add up.
 */
export function partsOf({ loanAmount, invoiceAmount }: Amounts, round = (cents: number) => cents) {
  const loan = round(centsOf(loanAmount));
  const invoice = round(centsOf(invoiceAmount));
  return {
    loan,
    invoice: Math.min(invoice, loan),
    extra: clampAdvance(loan - invoice),
    uncovered: Math.max(0, invoice - loan),
  };
}

export function loanAmountWithExtra(extra: string, invoiceAmount: string): string {
  if (extra.trim() === "" && centsOf(invoiceAmount) === 0) return "";
  return writeCents(clampAdvance(clampAdvance(centsOf(extra)) + centsOf(invoiceAmount)));
}

/** Whether the review shows the note about the cap (specification, section 2, step 4). */
export function isCapped(currentRent: string): boolean {
  return centsOf(currentRent) * weeksOfRent > maximumAdvance;
}

/** Whether there is a Calculation Summary (specification, section 2, step 4). */
export const hasSummary = ({ currentRent }: SumAnswers) => centsOf(currentRent) > 0;
