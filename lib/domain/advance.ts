import { type ApplicationAnswers, answers, type NamesWith, savedAnswers, stepAnswers } from "./application";
import { centsOf, writeCents } from "./money";

/**
 * The rental advance (specification, sections 4 and 9; docs/decisions/one-amount.md).
 * Numbers here are cents; strings are amounts as people type them.
 */
export const maximumAdvance = 50_000_00;
const weeksOfRent = stepAnswers[3].currentRent.share.times;

/** The answers that the advance is worked out from (lib/domain/application.ts, `share`). */
export type SumAnswers = Pick<ApplicationAnswers, NamesWith<{ share: object }>>;
export const sumAnswers = savedAnswers.filter((name): name is keyof SumAnswers => Boolean(answers[name].share));

interface Share {
  /** The answer itself. */
  amount: number;
  times: number;
  unit: string;
  /** What it adds to the sum. */
  total: number;
}

/** Each answer's part of the sum, before the cap. */
export function sharesOf(values: SumAnswers): Share[] {
  return sumAnswers.map((name) => {
    const { share } = stepAnswers[3][name];
    const amount = centsOf(values[name]);
    return { ...share, amount, total: amount * share.times };
  });
}

export function totalOf(shares: readonly Share[]): number {
  return shares.reduce((sum, { total }) => sum + total, 0);
}

export function clampAdvance(cents: number): number {
  return Math.min(maximumAdvance, Math.max(0, cents));
}

/** The loan amount that follows from a changed rent or invoice: empty when all are 0 or less. */
export function loanAmountFor(values: SumAnswers): string {
  const total = totalOf(sharesOf(values));
  return total <= 0 ? "" : writeCents(clampAdvance(total));
}

/** A typed loan amount, at most 50,000. */
export function clampedLoanAmount(loanAmount: string): string {
  return centsOf(loanAmount) > maximumAdvance ? writeCents(maximumAdvance) : loanAmount;
}

/** Extra funds are derived, never stored: the advance less the invoice, within 0…50,000. */
export function extraFunds(loanAmount: string, invoiceAmount: string): number {
  return clampAdvance(centsOf(loanAmount) - centsOf(invoiceAmount));
}

/** What of the invoice the advance does not pay. */
export function uncoveredInvoice(loanAmount: string, invoiceAmount: string): number {
  return Math.max(0, centsOf(invoiceAmount) - centsOf(loanAmount));
}

/** The loan amount that gives these extra funds on top of the invoice. */
export function loanAmountWithExtra(extra: string, invoiceAmount: string): string {
  if (extra.trim() === "" && centsOf(invoiceAmount) === 0) return "";
  return writeCents(clampAdvance(clampAdvance(centsOf(extra)) + centsOf(invoiceAmount)));
}

/** Whether the review shows the note about the cap (specification, section 2, step 4). */
export function isCapped(currentRent: string): boolean {
  return centsOf(currentRent) * weeksOfRent > maximumAdvance;
}
