import { centsOf, writeCents } from "./money";

/**
 * The rental advance (specification, sections 4 and 9; docs/decisions/one-amount.md).
 * Numbers here are cents; strings are amounts as people type them.
 */
export const maximumAdvance = 50_000_00;
export const weeksOfRent = 104;

export function clampAdvance(cents: number): number {
  return Math.min(maximumAdvance, Math.max(0, cents));
}

/** 104 weeks of rent, before the cap. */
export function rentShare(currentRent: string): number {
  return centsOf(currentRent) * weeksOfRent;
}

/** The loan amount after a change of rent or invoice; empty when both are 0 or less. */
export function loanAmountFor(currentRent: string, invoiceAmount: string): string {
  const invoice = centsOf(invoiceAmount);
  const rent = rentShare(currentRent);
  if (rent <= 0 && invoice <= 0) return "";
  return writeCents(clampAdvance(rent + invoice));
}

/** A typed loan amount, at most 50,000. */
export function clampedLoanAmount(loanAmount: string): string {
  return centsOf(loanAmount) > maximumAdvance ? writeCents(maximumAdvance) : loanAmount;
}

/** Extra funds are derived, never stored: the advance less the invoice, within 0…50,000. */
export function extraFunds(loanAmount: string, invoiceAmount: string): number {
  return clampAdvance(centsOf(loanAmount) - centsOf(invoiceAmount));
}

/** The loan amount that gives these extra funds on top of the invoice. */
export function loanAmountWithExtra(extra: string, invoiceAmount: string): string {
  if (extra.trim() === "" && centsOf(invoiceAmount) === 0) return "";
  return writeCents(clampAdvance(clampAdvance(centsOf(extra)) + centsOf(invoiceAmount)));
}

/** Whether the review shows the note about the cap (specification, section 2, step 4). */
export function isCapped(currentRent: string): boolean {
  return rentShare(currentRent) > maximumAdvance;
}
