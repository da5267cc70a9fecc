import fc from "fast-check";
import { belowCap, cap, overCap, rentOverCap } from "@/__tests__/support/answers";
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

const weeksOfRent = 104;
/** The highest weekly rent of which two years are within the cap, the cents that they leave below it, and the next rent. */
const highestRentCents = Math.floor(maximumAdvance / weeksOfRent);
const rest = maximumAdvance - highestRentCents * weeksOfRent;
const highestRent = writeCents(highestRentCents);
const lowestRentOver = writeCents(highestRentCents + 1);
const amounts = fc.integer({ min: 0, max: 9_999_999_99 }).map(writeCents);
const loanFor = (currentRent: string, invoiceAmount: string) =>
  loanAmountFor({ ...defaultAnswers, currentRent, invoiceAmount });
const advances = fc.integer({ min: 0, max: maximumAdvance }).map(writeCents);

// Every other test takes the cap from here, so that only this one changes with it.
test("the most that can be advanced is 50,000", () => {
  expect(cap).toBe("50000");
});

describe("When the rent or the invoice changes, the loan amount follows", () => {
  test.each([
    // Columns: rent, invoice, loan amount.
    [rentOverCap, "2450", cap],
    ["300", "2450", "33650"],
    ["300", "2450.50", "33650.50"],
    ["0.01", "0", "1.04"],
    ["333.33", "0.01", "34666.33"],
    [highestRent, "0", belowCap(rest)],
    [highestRent, writeCents(rest), cap],
    [highestRent, writeCents(rest + 1), cap],
    [lowestRentOver, "0", cap],
    ["0", belowCap(1), belowCap(1)],
    ["0", cap, cap],
    ["0", `${cap}.01`, cap],
    ["9999999.99", "9999999.99", cap],
    ["99999999999999999999", "0", cap],
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
    [cap, "2450", maximumAdvance - 2450_00],
    ["33650", "2450", 31_200_00],
    ["33650.50", "2450.25", 31_200_25],
    ["2450", "2450", 0],
    ["1000", "2450", 0],
    ["", "", 0],
  ])("a loan of '%s' on an invoice of '%s' has extra funds of %d cents", (loan, invoice, extra) => {
    expect(partsOf({ loanAmount: loan, invoiceAmount: invoice }).extra).toBe(extra);
  });

  test.each([
    [belowCap(2450_00), "2450", cap],
    [belowCap(2450_00 - 1), "2450", cap],
    [overCap, "2450", cap],
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
    [highestRent, false],
    [lowestRentOver, true],
    [rentOverCap, true],
    ["300", false],
    ["", false],
  ])("is shown for a weekly rent of '%s': %s", (rent, isShown) => {
    expect(isCapped(rent)).toBe(isShown);
  });
});

test.each([
  // Columns: rent, invoice, loan, whether the loan is at the limit.
  [rentOverCap, "2450", cap, true],
  ["300", belowCap(31_200_00 - 1), cap, true],
  ["300", belowCap(31_200_00), cap, false],
  [rentOverCap, "2450", belowCap(1), false],
  [rentOverCap, "2450", "2450", false],
  ["300", "2450", cap, false],
  [rentOverCap, "2450", "", false],
])("with a rent of '%s' and an invoice of '%s', a loan of '%s' is at the limit: %s", (...row) => {
  const [currentRent, invoiceAmount, loanAmount, isLimit] = row;
  expect(isAtLimit({ ...defaultAnswers, currentRent, invoiceAmount, loanAmount })).toBe(isLimit);
});

test.each([
  ["2450", maximumAdvance - 2450_00],
  ["2450.50", maximumAdvance - 2450_50],
  ["", maximumAdvance],
  [cap, 0],
  [overCap, 0],
])("an invoice of '%s' leaves room for extra funds of %d cents", (invoice, most) => {
  expect(maxExtraFunds(invoice)).toBe(most);
});

test.each([
  // Columns: loan, invoice, uncovered cents.
  ["33650", "45650", 12_000_00],
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
