import fc from "fast-check";
import { type AdvanceAnswers, loanAmountFor, maximumAdvance } from "@/lib/domain/advance";
import { writeCents } from "@/lib/domain/money";

const cents = (min: number, ...maxima: number[]) =>
  fc.oneof(...maxima.map((max) => fc.integer({ min, max }))).map(writeCents);

/** Amounts with a loan amount that an applicant has changed or, about one in six, as the form calculates it. */
const amounts = fc
  .record({
    currentRent: cents(1, 100_00, 2_000_00, 9_999_999_99),
    invoiceAmount: cents(0, 0, 5_000_00, 100_000_00, 9_999_999_99),
    typed: fc.option(cents(1, 3_000_00, maximumAdvance)),
  })
  .map(({ typed, ...others }): AdvanceAnswers => ({ ...others, loanAmount: typed ?? loanAmountFor(others) }));

/** Returns the same amounts for the same count. */
export const randomAmounts = (count: number) => fc.sample(amounts, { numRuns: count, seed: 31 });
