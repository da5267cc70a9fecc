import fc from "fast-check";
import { defaultBrand } from "@/lib/brand";
import {
  clampAdvance,
  isAtLimit,
  isCapped,
  loanAmountFor,
  loanAmountWithExtra,
  maxExtraFunds,
  maximumAdvance,
  partsOf,
} from "@/lib/domain/advance";
import { defaultAnswers } from "@/lib/domain/application";
import { centsOf, formatCents, wholeDollars, writeCents } from "@/lib/domain/money";

const amounts = fc.integer({ min: 0, max: 9_999_999_99 }).map(writeCents);
const weeksOfRent = 104;
const loanFor = (currentRent: string, invoiceAmount: string) =>
  loanAmountFor({ ...defaultAnswers, currentRent, invoiceAmount });
const advances = fc.integer({ min: 0, max: maximumAdvance }).map(writeCents);

describe("When the rent or the invoice changes, the loan amount follows", () => {
  test.each([
    // Columns: rent, invoice, loan amount.
    ["500", "2450", "50000"],
    ["300", "2450", "33650"],
    ["300", "2450.50", "33650.50"],
    ["0.01", "0", "1.04"],
    ["333.33", "0.01", "34666.33"],
    ["480.76", "0", "49999.04"],
    ["480.76", "0.96", "50000"],
    ["480.76", "0.97", "50000"],
    ["480.77", "0", "50000"],
    ["0", "49999.99", "49999.99"],
    ["0", "50000", "50000"],
    ["0", "50000.01", "50000"],
    ["9999999.99", "9999999.99", "50000"],
    ["99999999999999999999", "0", "50000"],
    ["", "2450", "2450"],
    ["300", "", "31200"],
    ["300.", "2450", "33650"],
  ])("a weekly rent of '%s' and an invoice of '%s' make '%s'", (rent, invoice, loan) => {
    expect(loanFor(rent, invoice)).toBe(loan);
  });

  test.each([
    ["", ""],
    ["0", "0"],
    ["0.00", ""],
    ["-300", "-1"],
  ])("a rent of '%s' and an invoice of '%s' empty it", (rent, invoice) => {
    expect(loanFor(rent, invoice)).toBe("");
  });

  test("the sum is exact to the cent, whatever the amounts", () => {
    fc.assert(
      fc.property(amounts, amounts, (rent, invoice) => {
        const sum = centsOf(rent) * weeksOfRent + centsOf(invoice);
        expect(centsOf(loanFor(rent, invoice))).toBe(Math.min(sum, maximumAdvance));
      }),
    );
  });
});

test("a negative amount becomes 0", () => {
  expect(clampAdvance(-1)).toBe(0);
});

describe("Extra funds and the loan amount are two views of one number", () => {
  test.each([
    ["50000", "2450", 47_550_00],
    ["33650", "2450", 31_200_00],
    ["33650.50", "2450.25", 31_200_25],
    ["2450", "2450", 0],
    ["1000", "2450", 0],
    ["", "", 0],
  ])("a loan of '%s' on an invoice of '%s' has extra funds of %d cents", (loan, invoice, extra) => {
    expect(partsOf({ loanAmount: loan, invoiceAmount: invoice }).extra).toBe(extra);
  });

  test.each([
    ["47550", "2450", "50000"],
    ["47550.01", "2450", "50000"],
    ["90000", "2450", "50000"],
    ["100.10", "2450.05", "2550.15"],
    ["0", "2450", "2450"],
    ["", "2450", "2450"],
    ["", "", ""],
    ["", "0", ""],
    [" ", "0", ""],
    ["0", "0", "0"],
  ])("extra funds of '%s' on an invoice of '%s' make a loan of '%s'", (extra, invoice, loan) => {
    expect(loanAmountWithExtra(extra, invoice)).toBe(loan);
  });

  test("a loan amount stays the same when it is split into invoice and extra funds and added up again", () => {
    fc.assert(
      fc.property(advances, fc.double({ min: 0, max: 1, noNaN: true }), (loan, part) => {
        const invoice = writeCents(Math.floor(centsOf(loan) * part));
        const extra = writeCents(partsOf({ loanAmount: loan, invoiceAmount: invoice }).extra);
        expect(centsOf(loanAmountWithExtra(extra, invoice))).toBe(centsOf(loan));
      }),
    );
  });
});

describe("The note about the cap", () => {
  test.each([
    ["480.76", false],
    ["480.77", true],
    ["500", true],
    ["300", false],
    ["", false],
  ])("is shown for a weekly rent of '%s': %s", (rent, isShown) => {
    expect(isCapped(rent)).toBe(isShown);
  });
});

test.each([
  // Columns: rent, invoice, loan, whether the loan is at the limit.
  ["500", "2450", "50000", true],
  ["300", "18800.01", "50000", true],
  ["300", "18800", "50000", false],
  ["500", "2450", "49999.99", false],
  ["500", "2450", "2450", false],
  ["300", "2450", "50000", false],
  ["500", "2450", "", false],
])("with a rent of '%s' and an invoice of '%s', a loan of '%s' is at the limit: %s", (...row) => {
  const [currentRent, invoiceAmount, loanAmount, isLimit] = row;
  expect(isAtLimit({ ...defaultAnswers, currentRent, invoiceAmount, loanAmount })).toBe(isLimit);
});

test.each([
  ["2450", 47_550_00],
  ["2450.50", 47_549_50],
  ["", 50_000_00],
  ["50000", 0],
  ["62000", 0],
])("an invoice of '%s' leaves room for extra funds of %d cents", (invoice, most) => {
  expect(maxExtraFunds(invoice)).toBe(most);
});

test.each([
  // Columns: loan, invoice, uncovered cents.
  ["50000", "62000", 12_000_00],
  ["1000", "2450.50", 1_450_50],
  ["2450", "2450", 0],
  ["33650", "2450", 0],
  ["1000", "", 0],
])("a loan of '%s' on an invoice of '%s' leaves %d cents uncovered", (loan, invoice, open) => {
  expect(partsOf({ loanAmount: loan, invoiceAmount: invoice }).uncovered).toBe(open);
});

test("the parts of an advance still add up when they are rounded to whole dollars", () => {
  fc.assert(
    fc.property(advances, fc.integer({ min: 0, max: 6_000_000 }), (loanAmount, cents) => {
      const invoiceAmount = writeCents(cents);
      const { loan, invoice, extra, uncovered } = partsOf({ loanAmount, invoiceAmount }, wholeDollars);
      expect(invoice + extra).toBe(loan);
      expect(invoice + uncovered).toBe(wholeDollars(cents));
      for (const part of [loan, invoice, extra, uncovered]) expect(part % 100).toBe(0);
    }),
  );
});

test.each([245_049, 245_050, 245_149, 50, 49])("%d cents round to the dollars that are displayed", (cents) => {
  expect(formatCents(wholeDollars(cents), defaultBrand)).toBe(formatCents(cents, defaultBrand));
});
