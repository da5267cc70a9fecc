import fc from "fast-check";
import {
  clampAdvance,
  clampedLoanAmount,
  extraFunds,
  isCapped,
  loanAmountFor,
  loanAmountWithExtra,
  maximumAdvance,
  weeksOfRent,
} from "@/lib/domain/advance";
import { centsOf, writeCents } from "@/lib/domain/money";

test("an advance is two years of rent, and never more than $50,000", () => {
  expect(weeksOfRent).toBe(104);
  expect(maximumAdvance).toBe(5_000_000);
});

test.each([
  // rent, invoice, advance, extra funds in cents, capped?
  ["500", "2450", "50000", 4_755_000, true],
  ["300", "2450", "33650", 3_120_000, false],
  ["300.05", "0.10", "31205.30", 3_120_520, false],
  ["0.01", "0", "1.04", 104, false],
  ["480.76", "0", "49999.04", 4_999_904, false],
  ["480.77", "0", "50000", 5_000_000, true],
  ["480.76", "0.96", "50000", 4_999_904, false],
  ["480.76", "0.97", "50000", 4_999_903, false],
  ["0", "2450.50", "2450.50", 0, false],
  ["0", "60000", "50000", 0, false],
  ["", "2450", "2450", 0, false],
  ["300", "", "31200", 3_120_000, false],
  ["9999999999999999", "0", "50000", 5_000_000, true],
] as const)("a rent of %s and an invoice of %s give an advance of %s", (rent, invoice, advance, extra, capped) => {
  expect(loanAmountFor(rent, invoice)).toBe(advance);
  expect(extraFunds(advance, invoice)).toBe(extra);
  expect(isCapped(rent)).toBe(capped);
});

test.each([
  ["0", "0"],
  ["", ""],
  ["0.00", ""],
  ["-5", "-1"],
  ["abc", "0"],
])("the advance is emptied when rent (%s) and invoice (%s) are 0 or less", (rent, invoice) => {
  expect(loanAmountFor(rent, invoice)).toBe("");
});

test.each([
  ["50000", "50000"],
  ["50000.01", "50000"],
  ["999999999999", "50000"],
  ["9999999999999999999", "50000"],
  ["0", "0"],
  ["", ""],
  ["12.", "12."],
  ["12.5", "12.5"],
])("a typed loan amount of %s stands as '%s'", (typed, stands) => {
  expect(clampedLoanAmount(typed)).toBe(stands);
});

test.each([
  ["31200", "2450", "33650"],
  ["47550", "2450", "50000"],
  ["50000", "2450", "50000"],
  ["99999", "0", "50000"],
  ["0", "2450", "2450"],
  ["", "2450", "2450"],
  ["", "0", ""],
  ["", "", ""],
  ["0.05", "0.10", "0.15"],
])("extra funds of %s on an invoice of %s make a loan amount of '%s'", (extra, invoice, loan) => {
  expect(loanAmountWithExtra(extra, invoice)).toBe(loan);
});

const cents = fc.integer({ min: 0, max: 20_000_000 });

test("whatever the rent and the invoice, the advance is exact to the cent and within 0 and $50,000", () => {
  fc.assert(
    fc.property(cents, cents, (rent, invoice) => {
      const exact = Math.min(maximumAdvance, rent * 104 + invoice);
      expect(centsOf(loanAmountFor(writeCents(rent), writeCents(invoice)))).toBe(exact);
    }),
  );
});

test("the loan amount and the extra funds are two views of one number", () => {
  fc.assert(
    fc.property(cents, cents, (loan, invoice) => {
      fc.pre(invoice <= loan && loan <= maximumAdvance);
      const extra = writeCents(extraFunds(writeCents(loan), writeCents(invoice)));
      expect(centsOf(loanAmountWithExtra(extra, writeCents(invoice)))).toBe(loan);
    }),
  );
});

test("extra funds never fall below 0 nor rise above $50,000", () => {
  expect(extraFunds("1000", "2450")).toBe(0);
  expect(clampAdvance(-1)).toBe(0);
  expect(clampAdvance(5_000_001)).toBe(5_000_000);
});
